%% make_mini (folder)
%% Makes the bundled model from nothing: corpus, tokenizer, training, into FOLDER.
%%
%% All random choices follow from fixed seeds.  `make mini` calls this and then mini_card, which
%% measures the result.  The language-model loss alone is used: no head is told what to look at.

function make_mini (folder)
  documents = mini_corpus (300000, 1);
  held_back = mini_corpus (2000, 2);
  tokenizer = gpt2_train_tokenizer (documents, 1990);
  config = struct ('Layers', 6, 'Heads', 6, 'Width', 96, 'Positions', 128);
  options = {'Folder', folder, 'Tokenizer', tokenizer, 'StartShare', 0.8, 'Half', true, ...
             'Validation', held_back, 'ValidationEvery', 250};
  lists = documents(strncmp (documents, 'In turn:', 8));
  %% First the lists that are read in turn: what follows depends on the word before alone, so that
  %% heads learn to look at it, on which everything else can then build.
  gpt2_train (config, lists, options{:}, 'Steps', 800, 'Batch', 32, 'Length', 64, ...
              'LearningRate', 3e-3, 'Floor', 0.3, 'PositionAmplitude', 0.04, 'Seed', 1);
  gpt2_train (folder, documents, options{:}, 'Steps', 2200, 'Batch', 32, 'Length', 64, ...
              'LearningRate', 3e-3, 'Seed', 2);
  %% Then rows of twice the length, for the later positions, in two rounds.
  gpt2_train (folder, documents, options{:}, 'Steps', 2000, 'Batch', 16, 'Length', 128, ...
              'LearningRate', 1e-3, 'Seed', 3);
  gpt2_train (folder, documents, options{:}, 'Steps', 2400, 'Batch', 16, 'Length', 128, ...
              'LearningRate', 2e-3, 'Seed', 4);
end
