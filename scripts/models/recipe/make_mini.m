%% make_mini (folder, steps)
%% Makes the bundled model from nothing: corpus, tokenizer, training, into FOLDER.
%%
%% All random choices follow from fixed seeds.  `make mini` calls this and then mini_card, which
%% measures the result.  The language-model loss alone is used: no head is told what to look at.

function make_mini (folder, steps)
  if nargin < 2
    steps = 4000;
  end
  documents = mini_corpus (300000, 1);
  held_back = mini_corpus (2000, 2);
  tokenizer = gpt2_train_tokenizer (documents, 1990);
  config = struct ('Layers', 6, 'Heads', 6, 'Width', 96, 'Positions', 128);
  gpt2_train (config, documents, 'Folder', folder, 'Tokenizer', tokenizer, 'Steps', steps, ...
              'Batch', 16, 'Length', 128, 'LearningRate', 3e-3, 'StartShare', 0.8, 'Half', true, ...
              'Validation', held_back, 'ValidationEvery', 250, 'Seed', 1, ...
              'Checkpoint', fullfile (folder, 'checkpoint'), 'CheckpointEvery', 250);
  delete (fullfile (folder, 'checkpoint'));
end
