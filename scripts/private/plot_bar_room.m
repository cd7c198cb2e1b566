%% share = plot_bar_room (ax, x, n, font)
%%
%% Part of the height of the data area that the numbers above bars need (see plot_bar_values), for
%% limits that have to be set before AX is placed: an estimate, on the safe side.
%%
%% x     positions of the bars that have a number, ascending, among 1 to N
%% font  font size of the labels, or []: as plot_font chooses it

function share = plot_bar_room (ax, x, n, font)
  region = plot_region (ax);
  base = plot_font (ax, region, font);
  cell = 0.75 * region.size(1) / n;
  [size_of, level] = plot_bar_font (x, cell, base, region.point);
  if level
    pixels = 1.5 * size_of * region.point;
  else
    pixels = plot_width (5, size_of, region.point);
  end
  share = min (pixels / (0.4 * region.size(2)), 0.5);
end
