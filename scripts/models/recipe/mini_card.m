%% figures = mini_card (folder)
%% Measures the model in FOLDER (see mini_measure), and writes its model card, README.md, and the
%% figures
%% of the card as figures.json, which the tests recompute.

function figures = mini_card (folder)
  figures = mini_measure (folder);
  info = gpt2_info ('Model', folder);
  file = dir (fullfile (folder, 'model.safetensors'));
  save_text (fullfile (folder, 'figures.json'), [jsonencode(figures), char(10)]);
  save_text (fullfile (folder, 'README.md'), card_text (figures, info, file.bytes));
end

function text = card_text (f, info, bytes)
  percent = @(x) sprintf ('%.1f %%', 100 * x);
  where = @(h) sprintf ('layer %d, head %d', h.layer, h.head);
  lines = {
    '# mini, the bundled model'
    ''
    sprintf (['A small GPT-2: %d layers x %d heads, vectors of %d numbers, %d tokens, %d ' ...
      'positions,'], ...
             info.layers, info.heads, info.width, info.vocabulary, info.positions)
    sprintf (['%d parameters, %.2f MB in 16-bit floating point. It makes the functions of ' ...
      'this package'], ...
             info.parameters, bytes / 1e6)
    ['useful without a download. It knows about 600 English words and a few kinds of ' ...
      'sentences; it is no']
    'language model to talk to, and its numbers are not GPT-2''s.'
    ''
    '## How it was made'
    'By this package alone: `make mini` generates 300,000 short texts (`scripts/models/recipe`,'
    ['`mini_corpus`), learns a byte-level byte-pair encoding from them, and trains with ' ...
      '`gpt2_train` on']
    'the language-model loss: no head was told what to look at. Fixed seeds.'
    ''
    '## What it can do'
    ['Measured by `mini_measure` on 300 situations "The SUBJECT didn''t VERB the OBJECT ' ...
      'because it was too']
    'ADJECTIVE. The", whose two nouns never meet in its training texts:'
    ''
    '| | |'
    '|---|---|'
    sprintf ('| the noun that the adjective fits is likelier than the other one | %s |', ...
      percent (f.referent))
    sprintf ('| it is the likeliest of all tokens | %s |', percent (f.exact))
    sprintf ('| likelier, where noun and adjective never met but the two nouns did | %s |', ...
             percent (f.unseen_use))
    sprintf ('| P(animal) after "... because it was too tired. The" | %.2f |', f.next.animal)
    sprintf ('| P(street) after "... because it was too wide. The" | %.2f |', f.next.street)
    ''
    '## Heads found by search'
    ''
    '| head | what it does | mean weight | classic sentence |'
    '|---|---|---|---|'
    sprintf ('| %s | row of "it": on the noun before, the subject | %.2f | animal %.2f |', ...
             where (f.noun), f.noun.weight, f.noun.classic)
    sprintf ('| %s | every row: on the word before | %.2f | |', where (f.previous), ...
      f.previous.weight)
    sprintf (['| %s | last row: on the noun that the adjective fits | %.2f | tired: animal ' ...
      '%.2f, wide: street %.2f |'], ...
             where (f.last), f.last.weight, f.last.tired, f.last.wide)
    ''
    ['As a decoder it only looks back: the row of "it" is the same whatever word ends the ' ...
      'sentence, and']
    'the difference between "tired" and "wide" is in the row of that word.'
    ''
    '## What it cannot do'
    ['Anything outside its corpus: unknown words are split into pieces it has seldom seen, ' ...
      'and longer']
    ['texts lose the thread. Texts of more than a few sentences, names of people with "he" ' ...
      'and "she", and']
    'made-up nouns are its weak points.'
    ''
    'MIT licence, as the package.'};
  text = [strjoin(lines', char (10)), char(10)];
end

function save_text (file, text)
  id = fopen (file, 'w');
  fwrite (id, text);
  fclose (id);
end
