% Examples on trained models: each is run in an Octave of its own without a screen, to its
% end, and what it prints is checked.  The numbers are those of the bundled model, with room for
% another training.

%!test
%! text = run_example ('gpt2_it');
%! x = numbers_in (text, '(\d+) layers x (\d+) heads = (\d+) attention patterns');
%! assert (x(1) * x(2), x(3));
%! assert (any (strfind (text, 'This is not GPT-2 but the model mini')));
%! rows = regexp (text, 'layer (\d+), head (\d+), from ''it'':  ([^\n]*)', 'tokens');
%! assert (numel (rows), 2);
%! noun = numbers_in (rows{1}{3}, 'animal (\S+)');
%! assert (noun > 0.5);
%! previous = numbers_in (rows{2}{3}, 'because (\S+)');
%! assert (previous > 0.5);
%! assert (numbers_in (text, 'From ''it'', (\d+) %'), 100 * noun, 1);
%! assert (numbers_in (text, '(\d+) % of that of'), 100 * previous, 1);
%! assert (any (strfind (text, 'words after ''it'' get 0:')));
%! s = 'The animal didn''t cross the street because it was too tired';
%! pair = str2double (rows{1}(1:2));
%! A = gpt2_attn (s, pair(1), pair(2), 'Model', 'mini');
%! assert (A(9,2), noun, 0.006);
%! check_pictures (text, {'gpt2_it.png'});

%!test
%! text = run_example ('tired_wide');
%! parts = regexp (text, 'A trained model, mini', 'split');
%! assert (numel (parts), 2);
%! for step = {'1. Tokens:', '2. Query', '3. Scores', '4. Softmax', '5. Blend', '6. Every token'}
%!   assert (numel (strfind (parts{1}, step{1})), 2);
%! end
%! x = numbers_in (parts{1}, 'from ''animal'', (\S+); with "wide" from ''street'', (\S+)\.\n');
%! assert (all (x > 0.5));
%! softmax = regexp (parts{1}, 'Softmax, from ''it'':  ([^\n]*)', 'tokens');
%! assert (numbers_in (softmax{1}{1}, 'animal (\S+)'), x(1));
%! assert (numbers_in (softmax{2}{1}, 'street (\S+)'), x(2));
%! assert (numbers_in (parts{1}, 'one before it, with at least (\S+)\.\n') > 0.5);
%! assert (numbers_in (parts{1}, 'above the diagonal all weights are (\S+)\. '), 0);
%! x = numbers_in (parts{1}, 'same row \(difference (\S+)\): animal (\S+),\nstreet (\S+),');
%! assert (x(1), 0);
%! assert (x(2), x(3));
%! assert (any (strfind (parts{2}, 'the same in both sentences, bit for bit')));
%! rows = regexp (parts{2}, 'layer \d+, head \d+, from ''it'':  ([^\n]*)', 'tokens');
%! assert (rows{1}, rows{2});
%! rows = regexp (parts{2}, 'from ''(tired|wide)'':  ([^\n]*)', 'tokens');
%! assert (numbers_in (rows{1}{2}, 'animal (\S+)') > 0.5);
%! assert (numbers_in (rows{2}{2}, 'street (\S+)') > 0.5);
%! animal = numbers_in (parts{2}, 'P\(animal\) +(\S+) +(\S+)');
%! street = numbers_in (parts{2}, 'P\(street\) +(\S+) +(\S+)');
%! assert (animal(1) > 10 * street(1));
%! assert (street(2) > 10 * animal(2));
%! check_pictures (text, {'tired_wide_steps_tired.png', 'tired_wide_steps_wide.png', ...
%!                        'tired_wide_compare.png', 'tired_wide_look_back.png', ...
%!                        'tired_wide_model.png', 'tired_wide_next.png'});

%!test
%! text = run_example ('heatmaps');
%! x = numbers_in (text, 'mini on (\d+) tokens: (\d+)-by-(\d+) weights for each');
%! assert (x, [12 12 12]);
%! x = numbers_in (text, 'adds up to 1, within (\S+); nothing above the diagonal: (\S+)\n');
%! assert (x(1) < 1e-5);
%! assert (x(2), 0);
%! x = numbers_in (text, 'differs change by (\S+) from .*, the last by up to (\S+)\n');
%! assert (x(1), 0);
%! assert (x(2) > 0.1);
%! x = numbers_in (text, 'long text has (\d+) tokens, so (\d+) weights');
%! assert (x(1) > 50);
%! assert (x(2), x(1)^2);
%! check_pictures (text, {'heatmaps_one.png', 'heatmaps_all.png', 'heatmaps_lines.png', ...
%!                        'heatmaps_compare.png', 'heatmaps_long.png'});

%!test
%! text = run_example ('heads_and_layers');
%! kinds = {'the token itself', 'the token before', 'the first token', ...
%!          'the same word, earlier', 'from ''it'' its noun'};
%! for k = 1:numel (kinds)
%!   x = numbers_in (text, [kinds{k} ' +(\d+), +(\d+) +(\S+) +(\S+) +(\S+)\n']);
%!   assert (x(3) >= max (x(4:5)));
%! end
%! assert (x(3) > 0.3);
%! range = ' +(\S+) +\( *(\S+) to +(\S+)\)';
%! layers = regexp (text, ['\n +(\d)' range range], 'tokens');
%! layers = str2double (vertcat (layers{:}));
%! assert (layers(:,1)', 1:rows (layers));
%! assert (all (layers(:,3) <= layers(:,2) & layers(:,2) <= layers(:,4)));
%! assert (all (layers(:,6) <= layers(:,5) & layers(:,5) <= layers(:,7)));
%! x = numbers_in (text, ['The first 3 layers look (\S+) tokens .*\n(\S+) tokens, the last 3 ' ...
%!                        'layers (\S+) and']);
%! assert (x(1), mean (layers(1:3,2)), 0.1);
%! assert (x(3), mean (layers(4:6,2)), 0.1);
%! assert (x(2), mean (layers(1:3,5)), 0.1);
%! check_pictures (text, {'heads_and_layers_roles.png', 'heads_and_layers_layers.png'});

%!test
%! text = run_example ('not_an_explanation');
%! assert (any (strfind (text, 'goes on with "animal"')));
%! x = numbers_in (text, ['each of the (\d+) heads.*?move by (\S+) on average, the prediction ' ...
%!                        'by (\S+) \(median (\S+), most (\S+)\)']);
%! assert (x(2) > 10 * x(4));                   % quite other weights, nearly the same prediction
%! assert (x(4) <= x(5));
%! kept = str2double (vertcat (regexp (text, 'likeliest word for (\d+) of (\d+)', 'tokens'){:}));
%! assert (kept(:,2), [x(1); x(1)]);
%! assert (all (kept(:,1) > x(1) / 2));
%! x = numbers_in (text, 'One head switched off: .* by (\S+) \(median (\S+), most (\S+)\)');
%! assert (x(2) <= x(3));
%! x = numbers_in (text, 'correlation (\S+) on average over 5 sentences \((\S+) to (\S+)\);');
%! assert (x(2) <= x(1) && x(1) <= x(3));
%! x = numbers_in (text, 'Head by head from (\S+) to (\S+),\s+median (\S+)\.\n');
%! assert (x(1) <= x(3) && x(3) <= x(2));
%! check_pictures (text, {'not_an_explanation.png'});
