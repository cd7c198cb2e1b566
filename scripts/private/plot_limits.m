%% limits = plot_limits (given, A)
%%
%% The limits of the colour scale: GIVEN when it is not empty, else from 0 to the largest
%% value of A rounded up to 1, 2 or 5 times a power of ten; the same on both sides of 0 when A
%% has negative values.  The values themselves are never scaled.

function limits = plot_limits (given, A)
  if ~ isempty (given)
    limits = double (given(:)');
    return;
  end
  values = double (A(isfinite (A)));
  top = max ([abs(values(:)); 0]);
  if top == 0
    top = 1;
  end
  unit = 10 ^ floor (log10 (top));
  steps = [1, 2, 5, 10] * unit;
  top = steps(find (steps >= top * (1 - 4 * eps), 1));
  limits = [-top * any(values(:) < 0), top];
end

%!assert (plot_limits ([], [0.3, 0.1]), [0, 0.5])
%!assert (plot_limits ([], [0.2, 0.1]), [0, 0.2])
%!assert (plot_limits ([], 1), [0, 1])
%!assert (plot_limits ([], 0.1 + 0.2), [0, 0.5])
%!assert (plot_limits ([], [0, 0]), [0, 1])
%!assert (plot_limits ([], [-0.3, 0.1]), [-0.5, 0.5])
%!assert (plot_limits ([], [NaN, 30]), [0, 50])
%!assert (plot_limits ([0.1; 0.2], 5), [0.1, 0.2])
