%% plot_weights (fname, A, name, dims)
%%
%% Checks that A is a full real numeric array with at most DIMS dimensions and no empty side.
%% Errors: attention:bad-type, attention:size-mismatch; the text names the argument.

function plot_weights (fname, A, name, dims)
  if ~ (isnumeric (A) || islogical (A)) || ~ isreal (A)
    error ('attention:bad-type', '%s: %s must be a real matrix of weights, not %s', ...
           fname, name, class (A));
  end
  sizes = strjoin (arrayfun (@(n) sprintf ('%d', n), size (A), 'UniformOutput', false), ...
                   '-by-');
  if isempty (A)
    error ('attention:size-mismatch', '%s: %s is empty (%s)', fname, name, sizes);
  elseif ndims (A) > dims
    error ('attention:size-mismatch', ...
           '%s: %s must have at most %d dimensions, but is %s; choose one page, as in A(:,:,1)', ...
           fname, name, dims, sizes);
  end
end
