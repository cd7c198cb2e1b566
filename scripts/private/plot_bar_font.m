%% [font, level] = plot_bar_font (x, cell, base, point)
%%
%% Font size in points of the numbers at bars (see plot_bar_values), and whether they fit side by
%% side; if not, they stand upright.
%%
%% x      positions of the bars that have a number, ascending
%% cell   pixels from one position to the next
%% base   font size of the labels
%% point  pixels for a point

function [font, level] = plot_bar_font (x, cell, base, point)
  fonts = max ([base - 1, min(base - 1, [9, 8, 7])], 6);
  apart = cell * min ([diff(x(:)'), Inf]);
  fits = find (arrayfun (@(f) plot_width (4, f, point) <= apart, fonts), 1);
  level = ~ isempty (fits);
  if level
    font = fonts(fits);
  else
    font = max (min (base - 1, apart / (1.1 * point)), 6);
  end
end

%!assert (nthargout (1:2, @plot_bar_font, 3, 5, 10, 1), {9, true})
%!assert (nthargout (1:2, @plot_bar_font, [1, 2], 20, 10, 1), {8, true})
%!assert (nthargout (1:2, @plot_bar_font, [1, 5, 6], 10, 10, 1), {9, false})
%!assert (nthargout (1:2, @plot_bar_font, [1, 2], 5, 10, 1), {6, false})
