%% h = plot_bars (ax, x, heights, width, color)
%%
%% Vertical bars from 0 to HEIGHTS, centred at X, as one patch object; none for a height
%% of 0, and [] when there is none at all.  (Octave's bar would also set ticks, limits and the
%% state of hold.)

function h = plot_bars (ax, x, heights, width, color)
  x = x(heights ~= 0);
  heights = heights(heights ~= 0);
  h = [];
  if isempty (x)
    return;
  end
  x = x(:)';
  heights = heights(:)';
  half = width / 2;
  h = patch ('Parent', ax, 'XData', [x - half; x - half; x + half; x + half], ...
             'YData', [0 * heights; heights; heights; 0 * heights], ...
             'FaceColor', color, 'EdgeColor', 'none');
end
