%% labels = plot_tokens (fname, tokens, n, name)
%%
%% What to write for N tokens: each in its visible form (see plot_visible), or its number where
%% TOKENS is empty.
%%
%% tokens  cell array of N char rows, or []
%% labels  N-by-1 cell array of char rows
%% Errors: attention:bad-type, attention:size-mismatch; the text names the argument NAME.

function labels = plot_tokens (fname, tokens, n, name)
  if isempty (tokens)
    labels = arrayfun (@(k) sprintf ('%d', k), (1:n)', 'UniformOutput', false);
    return;
  end
  if ~ iscellstr (tokens)
    error ('attention:bad-type', '%s: %s must be a cell array of text, not %s', ...
           fname, name, class (tokens));
  elseif numel (tokens) ~= n
    error ('attention:size-mismatch', ...
           '%s: %s must have %d tokens, as many as the weights have, but has %d', ...
           fname, name, n, numel (tokens));
  end
  labels = cellfun (@(t) plot_visible (t, 'token'), tokens(:), 'UniformOutput', false);
end
