%% figures = mini_card (folder)
%% Measures the model in FOLDER (see mini_measure), and writes its model card, README.md, and the
%% figures of the card as figures.json, which the tests recompute.

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
  classics = @(h) sprintf ('%.2f | tired: animal %.2f, wide: street %.2f |', h.weight, h.tired, ...
                           h.wide);
  size_line = sprintf ('A small GPT-2: %d layers x %d heads, vectors of %d numbers, %d tokens,', ...
                       info.layers, info.heads, info.width, info.vocabulary);
  memory_line = sprintf ('%d positions, %d parameters, %.2f MB in 16-bit floating point.', ...
                         info.positions, info.parameters, bytes / 1e6);
  lines = {
    '# mini, the bundled model'
    ''
    size_line
    memory_line
    'It makes the functions of this package useful without a download. It knows a few hundred'
    'English words and a few kinds of sentences; it is no language model to talk to, and its'
    'numbers are not GPT-2''s.'
    ''
    '## How it was made'
    'By this package alone: `make mini` generates 300,000 short texts (`scripts/models/recipe`,'
    '`mini_corpus`), learns a byte-level byte-pair encoding from them, and trains with'
    '`gpt2_train` on the language-model loss: no head was told what to look at. Fixed seeds. Some'
    'texts are drills, in which the noun that is meant follows the adjective at once. The first'
    '800 steps see lists only, from which two readers read a word in turn, so that each word'
    'follows from the one before the last: the head for the word before comes from there.'
    ''
    '## What it can do'
    'Measured by `mini_measure` on 300 situations "The SUBJECT didn''t VERB the OBJECT because'
    'it was DEGREE ADJECTIVE. The", whose two nouns never meet in its training texts:'
    ''
    '| | |'
    '|---|---|'
    ['| the noun that the adjective fits is likelier than the other one | ' ...
     percent(f.referent) ' |']
    ['| it is the likeliest of all tokens | ' percent(f.exact) ' |']
    ['| likelier, where noun and adjective never met but the two nouns did | ' ...
     percent(f.unseen_use) ' |']
    sprintf('| P(animal) after "... because it was too tired. The" | %.2f |', f.next.animal)
    sprintf('| P(street) after "... because it was too wide. The" | %.2f |', f.next.street)
    ''
    '## Heads found by search'
    'Weights are means over the same situations; the last column is for "The animal didn''t cross'
    'the street because it was too tired" and "... wide".'
    ''
    '| head | what it does | mean weight | classic sentence |'
    '|---|---|---|---|'
    sprintf('| %s | row of "it": on the noun before, the subject | %.2f | animal %.2f |', ...
            where (f.noun), f.noun.weight, f.noun.classic)
    ['| ' where(f.last) ' | row of the adjective: on the noun that it fits | ' classics(f.last)]
    sprintf('| %s | every row: on the word before | %.2f | |', where (f.previous), ...
            f.previous.weight)
    ''
    'So it finds the noun as soon as it reads the adjective. As a decoder it only looks back: the'
    'row of "it" is the same whatever word ends the sentence.'
    ''
    '## What it cannot do'
    'Anything outside its corpus: unknown words are split into pieces it has seldom seen, and'
    'longer texts lose the thread. Lists that are repeated, made-up nouns, and names of people'
    'with "he" and "she" are its weak points.'
    ''
    'MIT licence, as the package.'};
  text = [strjoin(lines', char (10)), char(10)];
end

function save_text (file, text)
  id = fopen (file, 'w');
  fwrite (id, text);
  fclose (id);
end
