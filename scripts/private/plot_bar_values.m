%% h = plot_bar_values (ax, x, values, frame, limits, wanted)
%%
%% Two decimals above each bar (below it where the value is negative); upright where they do
%% not fit side by side, and then beside a larger one none.
%%
%% x, values  position and height of each bar, from left to right
%% frame      struct with cell (pixels), font (points) and point, as plot_frame gives it
%% wanted     true: all of them; else those that have room

function h = plot_bar_values (ax, x, values, frame, limits, wanted)
  [font, level] = plot_bar_font (x, frame.cell(1), frame.font, frame.point);
  if ~ level && ~ isequal (wanted, true)
    shown = largest (x, values, 1.1 * font * frame.point / frame.cell(1));
    x = x(shown);
    values = values(shown);
  end
  strings = arrayfun (@(v) sprintf ('%.2f', v), values(:), 'UniformOutput', false);
  y = min (max (values(:), limits(1)), limits(2));
  gap = 0.6 * font * frame.point / frame.cell(2);
  up = 1 - 2 * (values(:) < 0);
  if level
    h = plot_text (ax, x, y + up * gap, strings, 'HorizontalAlignment', 'center', ...
                   'VerticalAlignment', 'middle', 'FontSize', font);
  else
    h = plot_text (ax, x, y + up * gap / 2, strings, 'HorizontalAlignment', 'left', ...
                   'VerticalAlignment', 'middle', 'Rotation', 90, 'FontSize', font);
    set (h(up < 0), 'HorizontalAlignment', 'right');
  end
end

%% Which of the values at X to show, the larger ones first, so that they stand APART.
function shown = largest (x, values, apart)
  shown = false (size (x));
  [~, order] = sort (abs (values), 'descend');
  for k = order(:)'
    shown(k) = all (abs (x(shown) - x(k)) >= apart);
  end
end
