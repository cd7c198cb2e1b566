% Attention inside a real model: where does GPT-2 look from 'it'?
%
% With GPT-2 downloaded, gpt2_download ('gpt2'), this prints two of its 144 attention patterns: one
% head that resolves the pronoun and one that looks at the word before.  Without it the small model
% that comes with the package is used; its heads have other numbers, so they are searched.
% Run it from anywhere:  octave-cli examples/gpt2_it.m

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));

about = gpt2_info ();
printf ('%s: %d layers x %d heads = %d attention patterns, vectors of %d numbers\n', ...
        about.title, about.layers, about.heads, about.layers * about.heads, about.width);

sentence = 'The animal didn''t cross the street because it was too tired';
[A, tokens] = gpt2_attn (sentence);
it = find (strcmp (tokens, ' it'));
animal = find (strcmp (tokens, ' animal'));

if (strcmp (about.title, 'GPT-2'))
  pairs = [5 4; 3 3];                        % layer and head, known from looking at all of them
else
  printf (['This is not GPT-2 but the model %s, which has other heads. Found by search:\n' ...
           'the head that looks most from ''it'' to the noun, and the one that looks most to\n' ...
           'the word before:\n'], about.title);
  pairs = [gpt2_heads(sentence, it, animal, 'Count', 1)
           gpt2_heads(sentence, it, it - 1, 'Count', 1)];
end

titles = arrayfun (@(l, h) sprintf ('layer %d, head %d', l, h), pairs(:,1), pairs(:,2), ...
                   'UniformOutput', false);
for k = 1:2
  attention_row (A(:,:,pairs(k,2),pairs(k,1)), tokens, it, 'Title', titles{k}, 'Draw', 'off');
end

noun = A(it,animal,pairs(1,2),pairs(1,1));
previous = A(it,it-1,pairs(2,2),pairs(2,1));
printf ('\nFrom ''it'', %.0f %% of the weight of %s goes to ''animal'';\n', 100 * noun, titles{1});
printf ('%.0f %% of that of %s goes to ''because'', the word just before.\n', 100 * previous, ...
        titles{2});
printf ('If ''it'' looked at all %d tokens alike, each would get %.0f %%.\n', it, 100 / it);
printf ('The words after ''it'' get %g: the model only looks back.\n', max (A(it,it+1:end,:)(:)));
assert (all (A(it,it+1:end,:)(:) == 0));
if (strcmp (about.title, 'GPT-2'))
  assert ([noun, previous], [0.85, 0.71], 0.005);
end

fig = new_picture (1150, 400);
for k = 1:2
  attention_row (A(:,:,pairs(k,2),pairs(k,1)), tokens, it, 'Limits', [0 1], 'Print', 'off', ...
                 'Title', [about.title ', ' titles{k}], 'Parent', subplot (1, 2, k));
end
save_picture (fig, 'gpt2_it.png');
path (before);
