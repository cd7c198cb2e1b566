%% The bundled model: every figure of its card is measured again, and the aims it must reach.

%!function folder = bundled ()
%!  folder = fullfile (fileparts (which ('gpt2_attn')), 'models', 'mini');
%!endfunction
%!function figures = measured ()
%!  persistent kept;
%!  if (isempty (kept))
%!    recipe = fullfile (fileparts (which ('gpt2_attn')), 'models', 'recipe');
%!    addpath (recipe);
%!    kept = mini_measure ('mini');
%!    rmpath (recipe);
%!  end
%!  figures = kept;
%!endfunction

%!test  # the card says what the model does; the last bits of arithmetic depend on the processor
%! card = jsondecode (fileread (fullfile (bundled (), 'figures.json')));
%! now = measured ();
%! shares = @(f) [f.referent, f.exact, f.unseen_use];
%! assert (shares (now), shares (card), 0.0034);  % one item in 300
%! weights = @(f) [f.noun.weight, f.noun.classic, f.previous.weight, f.last.weight, ...
%!                 f.last.tired, f.last.wide, f.next.animal, f.next.street];
%! assert (weights (now), weights (card), 1e-3);
%! heads = @(f) [f.noun.layer, f.noun.head, f.previous.layer, f.previous.head, ...
%!               f.last.layer, f.last.head];
%! assert (heads (now), heads (card));

%!test  # the numbers in the text of the card are those of figures.json
%! card = fileread (fullfile (bundled (), 'README.md'));
%! f = jsondecode (fileread (fullfile (bundled (), 'figures.json')));
%! for x = [f.noun.weight, f.noun.classic, f.previous.weight, f.last.weight, f.last.tired, ...
%!          f.last.wide, f.next.animal, f.next.street]
%!   assert (! isempty (strfind (card, sprintf ('%.2f', x))));
%! end
%! for x = [f.referent, f.exact, f.unseen_use]
%!   assert (! isempty (strfind (card, sprintf ('%.1f %%', 100 * x))));
%! end

%!test  # resolves pronouns between nouns that it never saw together
%! f = measured ();
%! assert (f.referent >= 0.98);
%! assert (f.exact >= 0.95);

%!test  # has learned heads that can be looked at
%! f = measured ();
%! assert (f.noun.weight >= 0.6 && f.noun.classic >= 0.6);
%! assert (f.previous.weight >= 0.8);
%! assert (min ([f.last.weight, f.last.tired, f.last.wide]) >= 0.8);

%!test  # small enough to be bundled, and deep enough for the article's layer 5, head 4
%! files = dir (bundled ());
%! assert (sum ([files.bytes]) <= 4e6);
%! [A, tokens] = gpt2_attn ('The animal didn''t cross the street', 5, 4, 'Model', 'mini');
%! assert (size (A), [numel(tokens), numel(tokens)]);
%! assert (isfile (fullfile (bundled (), 'README.md')));

%!test  # every word of the corpus is one token
%! recipe = fullfile (fileparts (which ('gpt2_attn')), 'models', 'recipe');
%! addpath (recipe);
%! lex = mini_lexicon ();
%! rmpath (recipe);
%! words = [lex.noun; lex.adjective];
%! for i = 1:numel (words)
%!   assert (numel (gpt2_tokenize ([' ' words{i}], 'Model', 'mini')), 1);
%! end

%!test  # the corpus: same seed, same texts; rand is left alone; held-out pairs do not meet
%! recipe = fullfile (fileparts (which ('gpt2_attn')), 'models', 'recipe');
%! addpath (recipe);
%! state = rand ('twister');
%! a = mini_corpus (3000, 7);
%! b = mini_corpus (3000, 7);
%! assert (a, b);
%! assert (rand ('twister'), state);
%! lex = mini_lexicon ();
%! for k = 1:numel (a)
%!   words = regexp (lower (a{k}), '[a-z]+', 'match');
%!   noun = find (ismember (lex.noun, words));
%!   adj = ismember (lex.adjective, words);
%!   assert (! any (lex.pair_held(noun, noun)(:)) && ! any (lex.use_held(noun, adj)(:)), a{k});
%! end
%! c = mini_items (lex, 500, 'train');
%! d = mini_items (lex, 500, 'pair');
%! [~, i] = ismember (c.subject, lex.noun); [~, j] = ismember (c.object, lex.noun);
%! assert (! any (lex.pair_held(sub2ind (size (lex.pair_held), i, j))));
%! [~, i] = ismember (d.subject, lex.noun); [~, j] = ismember (d.object, lex.noun);
%! assert (all (lex.pair_held(sub2ind (size (lex.pair_held), i, j))));
%! animal = strcmp (lex.noun, 'animal'); street = strcmp (lex.noun, 'street');
%! assert (lex.pair_held(animal, street));
%! rmpath (recipe);
