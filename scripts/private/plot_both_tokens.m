%% [rows, columns, row_tokens] = plot_both_tokens (fname, A, tokens, key_tokens)
%%
%% The labels of the rows and of the columns of A.
%%
%% tokens      one list for both, {rows, columns}, or []
%% key_tokens  list for the columns, or {}
%% rows, columns  labels, as plot_tokens gives them
%% row_tokens  the list that rows was made from

function [rows, columns, row_tokens] = plot_both_tokens (fname, A, tokens, key_tokens)
  row_tokens = tokens;
  column_tokens = tokens;
  if iscell (tokens) && numel (tokens) == 2 && iscell (tokens{1}) && iscell (tokens{2})
    row_tokens = tokens{1};
    column_tokens = tokens{2};
  end
  if ~ isempty (key_tokens)
    column_tokens = key_tokens;
  end
  rows = plot_tokens (fname, row_tokens, size (A, 1), 'tokens (rows)');
  columns = plot_tokens (fname, column_tokens, size (A, 2), 'tokens (columns)');
end
