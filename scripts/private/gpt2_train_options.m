function options = gpt2_train_options (start, given)
% The checked options of gpt2_train.  Besides the named ones: config (struct for the gateway) and
% model (folder to start from, '' = fresh).
% Errors: attention:bad-type, attention:bad-option, attention:out-of-range.

  defaults = struct ('Folder', '', 'Steps', 1000, 'Batch', 32, 'Length', [], 'Accumulate', 1, ...
    'LearningRate', 2e-3, 'Warmup', 50, 'Floor', 0.05, 'WeightDecay', 0.1, 'Clip', 1, ...
    'Betas', [0.9 0.98], 'StartShare', [], 'PositionAmplitude', 0, 'Seed', 1, 'Tokenizer', [], ...
    'Validation', [], 'ValidationEvery', 100, 'Checkpoint', '', 'CheckpointEvery', 100, ...
    'Half', false, 'Verbose', true);
  [~, options] = gpt2_arguments (given, {}, defaults);
  kinds = {'count', {'Steps', 'Batch', 'Length', 'Accumulate', 'ValidationEvery', ...
    'CheckpointEvery'};
           'number', {'LearningRate', 'Warmup', 'Floor', 'WeightDecay', 'Clip', 'StartShare', ...
    'PositionAmplitude'};
           'seed', {'Seed'}; 'flag', {'Half', 'Verbose'}};
  for k = 1:rows (kinds)
    for name = kinds{k,2}
      if (~isempty (options.(name{1})) || ~isempty (defaults.(name{1})))
        options.(name{1}) = gpt2_check (kinds{k,1}, options.(name{1}), ['''' name{1} '''']);
      end
    end
  end
  check_ranges (options);
  for name = {'Folder', 'Checkpoint'}
    if (~(ischar (options.(name{1})) && (isrow (options.(name{1})) || isempty (options.(name{1})))))
      error ('attention:bad-type', '''%s'' must be a file name, not %s', name{1}, ...
             gpt2_describe (options.(name{1})));
    end
  end
  if (isempty (options.Folder))
    options.Folder = tempname ();
  end
  [options.model, options.config] = starting_point (start);
  options.Tokenizer = tokenizer_of (options.Tokenizer, options.model);
  options.config.V = options.Tokenizer.size;
end

function check_ranges (options)
  betas = options.Betas;
  if (~(isnumeric (betas) && isreal (betas) && numel (betas) == 2 && all (betas >= 0 & betas < 1)))
    error ('attention:out-of-range', '''Betas'' must be two numbers from 0 to below 1');
  end
  for name = {'Floor', 'StartShare'}
    if (options.(name{1}) > 1)
      error ('attention:out-of-range', '''%s'' must be from 0 to 1, not %g', name{1}, ...
             options.(name{1}));
    end
  end
  if (options.Warmup ~= fix (options.Warmup))
    error ('attention:out-of-range', '''Warmup'' must be a whole number, not %g', options.Warmup);
  end
end

function [model, config] = starting_point (start)
  model = '';
  config = struct ('L', 2, 'H', 2, 'C', 32, 'F', [], 'V', [], 'T_max', 64);
  if (ischar (start))
    opened = gpt2_open (start);
    model = opened.folder;
    return;
  end
  if (~(isstruct (start) && isscalar (start)))
    error ('attention:bad-type', ...
           'the first argument must be a struct of sizes or the name of a model, not %s', ...
           gpt2_describe (start));
  end
  fields = {'Layers', 'L'; 'Heads', 'H'; 'Width', 'C'; 'FeedForward', 'F'; 'Positions', 'T_max'};
  for name = fieldnames (start)'
    which = find (strcmpi (name{1}, fields(:,1)));
    if (isempty (which))
      error ('attention:bad-option', 'CONFIG has no field ''%s''; there are %s', name{1}, ...
             strjoin (fields(:,1)', ', '));
    end
    config.(fields{which,2}) = gpt2_check ('count', start.(name{1}), ['CONFIG.' name{1}]);
  end
  if (mod (config.C, config.H) ~= 0)
    error ('attention:out-of-range', 'CONFIG.Heads, %d, must divide CONFIG.Width, %d', ...
           config.H, config.C);
  end
  if (isempty (config.F))
    config.F = 4 * config.C;
  end
end

function tokenizer = tokenizer_of (tokenizer, model)
% Struct with merges and vocab (texts of the files), key (its name in the gateway), size (ids), used
% (logical row: which of the ids are tokens) and end_of_text (the id between documents, -1 = none).

  if (isempty (tokenizer) && ~isempty (model))
    tokenizer = model;
  elseif (isempty (tokenizer))
    tokenizer = gpt2_train_tokenizer (' ', 257);
  end
  if (ischar (tokenizer))
    folder = tokenizer;
    tokenizer = struct ('merges', fileread (fullfile (folder, 'merges.txt')), ...
                        'vocab', fileread (fullfile (folder, 'vocab.json')));
  end
  if (~(isstruct (tokenizer) && all (isfield (tokenizer, {'merges', 'vocab'}))))
    error ('attention:bad-type', ['''Tokenizer'' must be what gpt2_train_tokenizer returns ' ...
           'or a folder with merges.txt and vocab.json, not %s'], gpt2_describe (tokenizer));
  end
  key = ['training ' hash('md5', [tokenizer.merges tokenizer.vocab])];
  if (~gpt2_core ('has_tokenizer', key))
    gpt2_core ('load_tokenizer', key, tokenizer.merges, tokenizer.vocab);
  end
  tokenizer.key = key;
  [tokenizer.size, tokenizer.end_of_text, tokenizer.used] = gpt2_core ('describe_tokenizer', key);
end
