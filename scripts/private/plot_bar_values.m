%% h = plot_bar_values (ax, x, values, frame, limits)
%%
%% Two decimals above each bar (below it where the value is negative); upright where a bar is
%% narrower than the number.
%%
%% x, values  position and height of each bar
%% frame      struct with cell (pixels), font (points) and point, as plot_frame gives it

function h = plot_bar_values (ax, x, values, frame, limits)
  font = max (min (frame.font - 1, frame.cell(1) / (1.1 * frame.point)), 6);
  strings = arrayfun (@(v) sprintf ('%.2f', v), values(:), 'UniformOutput', false);
  y = min (max (values(:), limits(1)), limits(2));
  gap = 0.6 * font * frame.point / frame.cell(2);
  up = 1 - 2 * (values(:) < 0);
  if plot_width (4, font, frame.point) <= frame.cell(1)
    h = plot_text (ax, x, y + up * gap, strings, 'HorizontalAlignment', 'center', ...
                   'VerticalAlignment', 'middle', 'FontSize', font);
  else
    h = plot_text (ax, x, y + up * gap / 2, strings, 'HorizontalAlignment', 'left', ...
                   'VerticalAlignment', 'middle', 'Rotation', 90, 'FontSize', font);
    set (h(up < 0), 'HorizontalAlignment', 'right');
  end
end
