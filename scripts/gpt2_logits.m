%% -*- texinfo -*-
%% @deftypefn  {} {[@var{logits}, @var{hidden}] =} gpt2_logits (@var{sentence})
%% @deftypefnx {} {[@var{logits}, @var{hidden}] =} gpt2_logits (@dots{}, 'Name', @var{value})
%% What GPT-2 predicts after each token, and the vectors of the tokens inside it.
%%
%% @var{logits} is T-by-V for the T tokens of @var{sentence} and the V tokens of the vocabulary: row
%% @var{i} scores what comes after token @var{i}, column @var{id} + 1 belongs to the token @var{id}.
%% The softmax of a row is the probability of each next token.
%%
%% @var{hidden} is T-by-C-by-(L+1) for vectors of C numbers and L layers: page 1 has the embeddings
%% (token and position), page @var{n} + 1 the vectors behind layer @var{n}, the last one behind the
%% final layer norm too.  Both outputs are single, as the model computes.
%%
%% @var{sentence} is a row of text or of token ids, as in @code{gpt2_attn}.  Options:
%% @table @asis
%% @item @qcode{'Tokens'}
%% Which rows of @var{logits}: @qcode{'all'} (the default), @qcode{'last'} or positions from 1.
%% @item @qcode{'Layers'}
%% Which pages of @var{hidden}: a vector of numbers from 0 (the embeddings) to L.  With
%% @code{[~, hidden]} only the layers up to the highest one are computed.
%% @item @qcode{'Ablate'}
%% A list of rows @code{[layer head]}: these heads are switched off, their output is zero.
%% @item @qcode{'Attention'}
%% A cell with rows @code{@{layer, head, W@}}: the T-by-T weights @var{W} take the place of that
%% head's, as they are: rows need not add up to 1, and may look ahead.
%% @item @qcode{'Model'}
%% As in @code{gpt2_attn}.
%% @end table
%%
%% Errors: as in @code{gpt2_attn}.
%%
%% @example
%% @group
%% s = 'The animal didn''t cross the street because it was too';
%% full = gpt2_logits (s, 'Tokens', 'last');
%% without = gpt2_logits (s, 'Tokens', 'last', 'Ablate', [5 4]);
%% max (abs (full - without))
%% @end group
%% @end example
%% @seealso{gpt2_next, gpt2_score, gpt2_attn}
%% @end deftypefn

function [logits, hidden] = gpt2_logits (sentence, varargin)

  if (nargin < 1)
    print_usage ();
  end
  defaults = struct ('Model', '', 'Tokens', 'all', 'Layers', ':', 'Ablate', [], 'Attention', {{}});
  [~, options] = gpt2_arguments (varargin, {}, defaults);
  [model, ids] = gpt2_prepare (sentence, options.Model);
  tokens = token_rows (options.Tokens, numel (ids));
  pages = layer_pages (options.Layers, model.layers);

  request = struct ('hidden', nargout > 1, 'Ablate', options.Ablate, ...
                    'Attention', {options.Attention});
  if (isargout (1))
    request.logits = min (tokens);
  elseif (max (pages) > 1)
    request.layers = max (pages) - 1;
  else
    request.layers = 1;
  end
  [~, vectors, scores] = gpt2_run (model, ids, request);

  logits = [];
  if (isargout (1))
    logits = scores(:,tokens - request.logits + 1).';
  end
  if (nargout > 1)
    hidden = permute (vectors(:,:,pages), [2 1 3]);
  end
end

function tokens = token_rows (value, T)
  if (ischar (value) && strcmpi (value, 'all'))
    tokens = 1:T;
  elseif (ischar (value) && strcmpi (value, 'last'))
    tokens = T;
  elseif (ischar (value) && ~strcmp (value, ':'))
    error ('attention:bad-option', ...
           '''Tokens'' must be ''all'', ''last'' or positions, not ''%s''', value);
  else
    tokens = gpt2_indices (value, T, '''Tokens''');
  end
end

function pages = layer_pages (value, L)
% Layer 0, the embeddings, is page 1.
  if (ischar (value) && strcmp (value, ':'))
    pages = 1:L+1;
    return;
  end
  if (~(isnumeric (value) && isreal (value) && isvector (value)))
    error ('attention:bad-type', '''Layers'' must be a vector of numbers from 0 to %d, not %s', ...
           L, gpt2_describe (value));
  end
  wrong = find (~(value >= 0 & value <= L & value == fix (value)), 1);
  if (~isempty (wrong))
    error ('attention:out-of-range', '''Layers'' must be whole numbers from 0 to %d, not %g', ...
           L, value(wrong));
  end
  pages = double (value(:).') + 1;
end

%!shared folder
%! top = fileparts (fileparts (which ('gpt2_logits')));
%! folder = fullfile (top, 'tests', 'fixtures', 'gpt2_models', 'plain_f32');
%!test
%! [logits, hidden] = gpt2_logits ('the street', 'Model', folder);
%! T = numel (gpt2_tokenize ('the street', 'Model', folder));
%! assert (size (logits), [T 317]);
%! assert (size (hidden), [T 24 3]);
%! assert (class (logits), 'single');
%! assert (gpt2_logits ('the street', 'Model', folder, 'Tokens', 'last'), logits(end,:));
%! assert (gpt2_logits ('the street', 'Model', folder, 'Tokens', [3 1 3]), logits([3 1 3],:));
%! [~, some] = gpt2_logits ('the street', 'Model', folder, 'Layers', [2 0]);
%! assert (some, hidden(:,:,[3 1]));
%! [~, some] = gpt2_logits ('the street', 'Model', folder, 'Layers', [0 1]);
%! assert (some, hidden(:,:,1:2));
%!error <'Tokens' must be 'all', 'last' or positions> ...
%! gpt2_logits ('a', 'Model', folder, 'Tokens', 'x')
%!error <'Tokens' must be a whole number from 1 to 1, not 2> ...
%! gpt2_logits ('a', 'Model', folder, 'Tokens', 2)
%!error <from 0 to 2, not 3> gpt2_logits ('a', 'Model', folder, 'Layers', 3)
%!error <head of 'Ablate' must be .* from 1 to 3, not 4> ...
%! gpt2_logits ('a', 'Model', folder, 'Ablate', [1 4])
%!error <must be a real 1-by-1 matrix, not a 2-by-2 double> ...
%! gpt2_logits ('a', 'Model', folder, 'Attention', {1, 1, eye(2)})
%!error <Invalid call> gpt2_logits ()
