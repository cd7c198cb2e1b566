%% h = plot_values (ax, A, map, limits, wanted, frame)
%%
%% The numbers of A in their cells, in black or white, whichever reads better on the colour.
%%
%% wanted  true, false, or 'auto': when two decimals fit into a cell
%% frame   struct with cell (pixels), font (points) and point, as plot_frame gives it
%% h       handles of the numbers; cells that are exactly zero have none

function h = plot_values (ax, A, map, limits, wanted, frame)
  h = [];
  fonts = min (frame.font, [10, 9, 8, 7, 6]);
  fits = arrayfun (@(f) plot_width (4.4, f, frame.point) <= frame.cell(1) ...
                   && 1.3 * f * frame.point <= frame.cell(2), fonts);
  if isequal (wanted, false) || (ischar (wanted) && ~ any (fits))
    return;
  end
  font = fonts(end);
  if any (fits)
    font = fonts(find (fits, 1));
  end
  [i, j] = find (A ~= 0);
  if isempty (i)
    return;
  end
  values = double (A(A ~= 0));
  values = values(:);
  strings = arrayfun (@(v) sprintf ('%.2f', v), values, 'UniformOutput', false);
  h = plot_text (ax, j(:), i(:), strings, 'HorizontalAlignment', 'center', ...
                 'VerticalAlignment', 'middle', 'FontSize', font);
  part = (values - limits(1)) / (limits(2) - limits(1));
  index = 1 + round (min (max (part, 0), 1) * (size (map, 1) - 1));
  index(isnan (index)) = 1;
  dark = map(index, :) * [0.299; 0.587; 0.114] < 0.55;
  set (h(dark), 'Color', [1, 1, 1]);
  set (h(~ dark), 'Color', [0, 0, 0]);
end
