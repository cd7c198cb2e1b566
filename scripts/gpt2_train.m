%% -*- texinfo -*-
%% @deftypefn  {} {[@var{model}, @var{history}] =} gpt2_train (@var{config}, @var{tokens})
%% @deftypefnx {} {[@dots{}] =} gpt2_train (@var{model}, @var{tokens})
%% @deftypefnx {} {[@dots{}] =} gpt2_train (@dots{}, 'Name', @var{value})
%% Train a GPT-2 from scratch, or go on with a saved one.
%%
%% @var{config} is a struct with any of the fields @code{Layers} (2), @code{Heads} (2), @code{Width}
%% (32), @code{Positions} (64), @code{FeedForward} (4*Width); the vocabulary is that of the
%% tokenizer. In its place the name or folder of a model (@pxref{XREFgpt2_attn,,gpt2_attn}) goes on
%% from its weights.
%%
%% @var{tokens} is a row of token ids, counted from 0, or of text; or a cell array of such rows:
%% documents, which are joined with the end-of-text token between them.
%%
%% @var{model} is the folder that the trained model was saved in, in the Hugging Face layout:
%% @code{gpt2_attn (sentence, layer, head, 'Model', model)} reads it, and so do other people's
%% tools. @var{history} is a struct of columns: @code{step}, @code{loss}, @code{rate}, @code{norm}
%% (of the gradient), @code{seconds} (since the training began) for each step, and
%% @code{validation_step}, @code{validation}.
%%
%% The loss is the mean negative log-likelihood of the next token, in nats.  Each step takes a batch
%% of rows, computes exact gradients, clips them, and makes one AdamW update (Loshchilov and Hutter
%% 2019) with a learning rate that warms up linearly and falls along a half cosine.
%%
%% @table @asis
%% @item @qcode{'Folder'}
%% Where to save; a new temporary folder by default.
%% @item @qcode{'Steps'}
%% Updates to make, 1000 by default.
%% @item @qcode{'Batch'}, @qcode{'Length'}, @qcode{'Accumulate'}
%% Rows of a batch (32), tokens of a row (@code{Positions}), batches of one update (1).
%% @item @qcode{'LearningRate'}, @qcode{'Warmup'}, @qcode{'Floor'}
%% Peak rate (2e-3), steps until it is reached (50), last rate as a share of the peak (0.05).
%% @item @qcode{'WeightDecay'}, @qcode{'Clip'}, @qcode{'Betas'}
%% AdamW: decay of matrices (0.1), largest norm of the gradient (1; 0 = any), moments ([0.9 0.98]).
%% @item @qcode{'StartShare'}
%% Share of the rows that begin where a document begins (0.8 when there are documents, else 0).
%% @item @qcode{'PositionAmplitude'}
%% A fresh model's positions start as @code{positional_encoding} times this number; by default, 0,
%% they are as random as the other weights.  The bundled model was trained with 0.04.
%% @item @qcode{'Seed'}
%% Whole number that all random choices follow from; 1 by default.  @code{rand} is not touched.
%% @item @qcode{'Tokenizer'}
%% What @code{gpt2_train_tokenizer} returned, or a folder with @file{merges.txt} and
%% @file{vocab.json}.  By default the 256 bytes and an end-of-text token, or that of the model.
%% @item @qcode{'Validation'}, @qcode{'ValidationEvery'}
%% Tokens (as @var{tokens}) to compute the loss of, every so many steps (100) and at the end.
%% @item @qcode{'Checkpoint'}, @qcode{'CheckpointEvery'}
%% A file that is replaced every so many steps (100).  When it exists already, training goes on from
%% it and ends at the same weights as if it had never stopped.
%% @item @qcode{'Half'}
%% Save the weights with 16 bits (false).
%% @item @qcode{'Verbose'}
%% Print a line of progress; true by default.
%% @end table
%%
%% Ctrl-C stops after the current step; what was learned is saved first, and a checkpoint written if
%% one was asked for.
%%
%% Errors: @code{attention:bad-type}, @code{attention:bad-option}, @code{attention:out-of-range},
%% @code{attention:too-long}, @code{attention:empty-text}, @code{attention:diverged} (the gradient
%% is no longer a number), @code{attention:write-failed}, @code{attention:model-corrupt} (a
%% checkpoint), @code{attention:no-memory}.
%%
%% Cost: about 6 floating-point operations for each parameter and token.
%%
%% @example
%% @group
%% [model, history] = gpt2_train (struct ('Layers', 2, 'Heads', 2), fileread ('book.txt'));
%% plot (history.step, history.loss)
%% gpt2_generate ('Once', 'Model', model)
%% @end group
%% @end example
%% @seealso{gpt2_train_tokenizer, gpt2_attn, gpt2_generate}
%% @end deftypefn

function [model, history] = gpt2_train (start, tokens, varargin)

  if (nargin < 2)
    print_usage ();
  end
  options = gpt2_train_options (start, varargin);
  data = gpt2_train_data (tokens, options.Tokenizer, 'TOKENS');
  validation = [];
  if (~isempty (options.Validation))
    validation = gpt2_train_data (options.Validation, options.Tokenizer, 'Validation');
  end
  [handle, info, history] = begin (options);
  state = containers.Map ('KeyType', 'char', 'ValueType', 'any'); % the clean-up sees the latest
  state('history') = history;
  guard = onCleanup (@() stop (handle, options, state));
  options = fit_options (options, info, data, validation);
  gpt2_train_folder (options.Folder, options.Tokenizer);

  progress = gpt2_train_progress (options, info);
  clock = tic ();
  before = max ([0; history.seconds]);
  for step = info.steps+1:options.Steps
    [loss, norm, rate] = gpt2_call (@__gpt2_train__, 'step', handle, data.ids, data.starts, ...
                                    options.settings);
    history.step(step,1) = step;
    history.loss(step,1) = loss;
    history.rate(step,1) = rate;
    history.norm(step,1) = norm;
    history.seconds(step,1) = before + toc (clock);
    last = step == options.Steps;
    if (~isempty (validation) && (last || mod (step, options.ValidationEvery) == 0))
      history.validation_step(end+1,1) = step;
      history.validation(end+1,1) = gpt2_call (@__gpt2_train__, 'evaluate', handle, ...
                                               validation.ids, options.settings);
    end
    state('history') = history;
    if (~isempty (options.Checkpoint) && (last || mod (step, options.CheckpointEvery) == 0))
      checkpoint (handle, options, history);
    end
    progress = gpt2_train_progress (options, info, history, progress);
  end
  save_model (handle, options);
  state('saved') = true;
  model = options.Folder;
end

function [handle, info, history] = begin (options)
% A fresh training, one on saved weights, or one resumed from the checkpoint.

  none = zeros (0, 1);
  history = struct ('step', none, 'loss', none, 'rate', none, 'norm', none, 'seconds', none, ...
                    'validation_step', none, 'validation', none);
  if (~isempty (options.Checkpoint) && exist (options.Checkpoint, 'file'))
    [handle, info] = gpt2_call (@__gpt2_train__, 'resume', options.Checkpoint);
    note = gpt2_call (@__gpt2_train__, 'note', handle);
    history = read_history (note, history, options.Checkpoint, handle);
  elseif (isempty (options.model))
    [handle, info] = gpt2_call (@__gpt2_train__, 'fresh', options.config, ...
                                struct ('seed', options.Seed, 'position_amplitude', ...
                                        options.PositionAmplitude));
  else
    [handle, info] = gpt2_call (@__gpt2_train__, 'model', options.model, ...
                                struct ('seed', options.Seed));
  end
end

function history = read_history (note, history, file, handle)
  names = fieldnames (history);
  try
    kept = jsondecode (note);
    for i = 1:numel (names)
      history.(names{i}) = reshape (kept.(names{i}), [], 1);
    end
  catch
    gpt2_call (@__gpt2_train__, 'end', handle);
    error ('attention:model-corrupt', ...
           '''%s'' is not a checkpoint of gpt2_train: its history cannot be read', file);
  end
end

function options = fit_options (options, info, data, validation)
% What depends on the model and the data.

  highest = max ([data.ids, ids_of(validation)]);
  if (highest >= info.V)
    error ('attention:size-mismatch', ...
           ['the text has a token with the id %d; the model has rows for the ids 0 to %d, ' ...
            'the tokenizer has %d ids'], highest, info.V - 1, options.Tokenizer.size);
  end
  if (isempty (options.Length))
    options.Length = min (info.T_max, numel (data.ids) - 1);
  end
  if (options.Length > info.T_max)
    error ('attention:too-long', '''Length'' is %d; the model has %d positions', ...
           options.Length, info.T_max);
  end
  if (numel (data.ids) <= options.Length)
    error ('attention:out-of-range', 'TOKENS must be more than ''Length'', %d; there are %d', ...
           options.Length, numel (data.ids));
  end
  if (~isempty (validation) && numel (validation.ids) <= options.Length)
    error ('attention:out-of-range', ...
           '''Validation'' must be more than ''Length'', %d tokens; there are %d', ...
           options.Length, numel (validation.ids));
  end
  if (isempty (options.StartShare))
    options.StartShare = 0.8 * (numel (data.starts) > 1);
  end
  options.settings = struct ('batch', options.Batch, 'length', options.Length, ...
    'accumulate', options.Accumulate, 'start_share', options.StartShare, ...
    'beta1', options.Betas(1), 'beta2', options.Betas(2), 'epsilon', 1e-8, ...
    'weight_decay', options.WeightDecay, 'clip', options.Clip, 'peak', options.LearningRate, ...
    'floor', options.Floor, 'warmup', options.Warmup, 'steps', options.Steps);
end

function ids = ids_of (data)
  ids = [];
  if (~isempty (data))
    ids = data.ids;
  end
end

function checkpoint (handle, options, history)
  gpt2_call (@__gpt2_train__, 'checkpoint', handle, options.Checkpoint, jsonencode (history));
end

function save_model (handle, options)
  settings = struct ('end_of_text', options.Tokenizer.end_of_text, 'half', double (options.Half));
  gpt2_call (@__gpt2_train__, 'save', handle, options.Folder, settings);
end

function stop (handle, options, state)
% Runs however gpt2_train ends.  After Ctrl-C or an error in a step it keeps what was learned.

  history = state('history'); % an index into a map's value fails in a clean-up of Octave 9
  steps = numel (history.step);
  if (~isKey (state, 'saved') && steps > 0 && isfolder (options.Folder))
    save_model (handle, options);
    if (~isempty (options.Checkpoint))
      checkpoint (handle, options, history);
    end
    if (options.Verbose)
      fprintf ('\nstopped after step %d; the model is in %s\n', steps, options.Folder);
    end
  end
  gpt2_call (@__gpt2_train__, 'end', handle);
end

%!function [config, text] = tiny ()
%!  config = struct ('Layers', 1, 'Heads', 2, 'Width', 16, 'Positions', 16);
%!  text = repmat ('abc dbc ', 1, 100);
%!endfunction
%!function remove (varargin)
%!  for i = 1:numel (varargin)
%!    confirm = confirm_recursive_rmdir (false);
%!    rmdir (varargin{i}, 's');
%!    confirm_recursive_rmdir (confirm);
%!  end
%!endfunction

%!test
%! [config, text] = tiny ();
%! [model, history] = gpt2_train (config, text, 'Steps', 60, 'LearningRate', 1e-2, 'Batch', 8, ...
%!                                'Validation', text, 'ValidationEvery', 25, 'Verbose', false);
%! assert (history.step, (1:60)');
%! assert (history.loss(1), log (257), 0.1);
%! assert (history.loss(end) < 1);
%! assert (history.validation_step, [25; 50; 60]);
%! assert (history.validation(end), history.loss(end), 0.3);
%! assert (gpt2_info ('Model', model).heads, 2);
%! assert (gpt2_next ('abc db', 1, 'Model', model), {'c'});
%! gpt2_unload (); remove (model);

%!test  # the same seed gives the same model, another one another
%! [config, text] = tiny ();
%! run = @(seed) gpt2_train (config, text, 'Steps', 5, 'Seed', seed, 'Verbose', false);
%! a = run (1); b = run (1); c = run (2);
%! weights = @(folder) fileread (fullfile (folder, 'model.safetensors'));
%! assert (strcmp (weights (a), weights (b)));
%! assert (~ strcmp (weights (a), weights (c)));
%! remove (a, b, c);

%!test  # stopped and resumed is the same as not stopped
%! [config, text] = tiny ();
%! file = tempname ();
%! options = {'Batch', 4, 'Verbose', false, 'CheckpointEvery', 7};
%! straight = gpt2_train (config, text, 'Steps', 20, options{:});
%! %% The rate depends on 'Steps': a run that ends after 7 of 20 is made by hand.
%! half = tempname ();
%! code = sprintf (['addpath (''%s''); text = repmat (''abc dbc '', 1, 100); ' ...
%!   'config = struct (''Layers'', 1, ''Heads'', 2, ''Width'', 16, ''Positions'', 16); ' ...
%!   'gpt2_train (config, text, ''Steps'', 20, ''Batch'', 4, ''Verbose'', false, ' ...
%!   '''CheckpointEvery'', 7, ''Checkpoint'', ''%s'', ''Folder'', ''%s'');'], ...
%!   fileparts (which ('gpt2_train')), file, half);
%! system (sprintf ('%s -q -H --eval "%s" > /dev/null 2>&1', ...
%!         fullfile (OCTAVE_HOME (), 'bin', 'octave-cli'), code));
%! [resumed, history] = gpt2_train (config, text, 'Steps', 20, options{:}, 'Checkpoint', file);
%! assert (numel (history.loss), 20);
%! weights = @(folder) fileread (fullfile (folder, 'model.safetensors'));
%! assert (strcmp (weights (straight), weights (resumed)));
%! delete (file); remove (straight, half, resumed);

%!error <Invalid call> gpt2_train (struct ())
%!error id=attention:bad-type gpt2_train (1, 'text')
%!error id=attention:bad-option gpt2_train (struct ('Depth', 2), 'text')
%!error id=attention:out-of-range gpt2_train (struct ('Heads', 3, 'Width', 16), 'some text')
%!error id=attention:bad-option gpt2_train (struct (), 'text', 'Speed', 3)
%!error id=attention:out-of-range gpt2_train (struct (), 'text', 'Steps', 0)
%!error id=attention:out-of-range gpt2_train (struct (), [1 2 257], 'Verbose', false)
%!error id=attention:bad-type gpt2_train (struct (), {'a', 1}, 'Verbose', false)
%!error id=attention:too-long
%! gpt2_train (struct (), repmat ('a', 1, 200), 'Length', 100, 'Verbose', false)
%!error id=attention:model-not-found gpt2_train ('no such model', 'text')
%!error id=attention:write-failed
%! gpt2_train (struct (), 'some text', 'Folder', '/dev/null/x', 'Verbose', false)
