%% more = plot_panels (ax, boxes)
%%
%% Gives AX the first row of BOXES ([left bottom width height], normalized) as its part of the
%% figure, and makes an axes for each further row; more is a row of their handles.

function more = plot_panels (ax, boxes)
  more = zeros (1, 0);
  fig = ancestor (ax, 'figure');
  current_figure = get (0, 'CurrentFigure');
  current_axes = get (fig, 'CurrentAxes');
  for k = 1:size (boxes, 1)
    panel = ax;
    if k > 1
      panel = axes ('Parent', get (ax, 'Parent'), 'Units', 'normalized');
      more(end + 1) = panel;
    end
    set (panel, 'Position', boxes(k, :));
    setappdata (panel, 'attention_placed', ...
                struct ('box', boxes(k, :), 'position', boxes(k, :)));
  end
  set (fig, 'CurrentAxes', current_axes);
  set (0, 'CurrentFigure', current_figure);
end
