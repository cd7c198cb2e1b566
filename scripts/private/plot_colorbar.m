%% bar = plot_colorbar (ax, width)
%%
%% A colour bar at the right of AX that follows its colour limits and colour map.
%%
%% width  [gap thickness], normalized to the parent of AX
%% bar    handle of the axes of the bar; it is deleted with what AX shows
%%
%% Octave's colorbar would place AX itself, and draws an image, which the OpenGL toolkits leave
%% out of SVG files.

function bar = plot_colorbar (ax, width)
  fig = ancestor (ax, 'figure');
  current_figure = get (0, 'CurrentFigure');
  current_axes = get (fig, 'CurrentAxes');
  area = get (ax, 'Position');
  bar = axes ('Parent', get (ax, 'Parent'), 'Tag', 'attention_colorbar', ...
              'Units', 'normalized', 'Position', ...
              [area(1) + area(3) + width(1), area(2), width(2), area(4)]);
  set (bar, 'FontSize', get (ax, 'FontSize'), 'FontName', get (ax, 'FontName'), ...
       'YAxisLocation', 'right', 'XTick', [], ...
       'XLim', [0.5, 1.5], 'Box', 'on', 'Layer', 'top', 'NextPlot', 'add');
  set (fig, 'CurrentAxes', current_axes);
  set (0, 'CurrentFigure', current_figure);
  setappdata (ax, 'attention_colorbar', bar);
  show_scale (ax);
  plot_attach (ax, bar, []);
  if exist ('addlistener') && ~ isappdata (ax, 'attention_colorbar_listener') ...
     && ~ strcmp (plot_toolkit (fig), 'matlab')
    setappdata (ax, 'attention_colorbar_listener', true);
    addlistener (ax, 'clim', @(varargin) show_scale (ax));
    addlistener (ax, 'colormap', @(varargin) show_scale (ax));
  end
end

function show_scale (ax)
  bar = getappdata (ax, 'attention_colorbar');
  if isempty (bar) || ~ ishghandle (bar)
    return;
  end
  limits = get (ax, 'CLim');
  steps = 128;
  half = (limits(2) - limits(1)) / steps / 2;
  delete (get (bar, 'Children'));
  set (bar, 'CLim', limits, 'YLim', limits, 'Colormap', get (ax, 'Colormap'));
  plot_cells (bar, [1, 1], limits + [half, -half], ...
              linspace (limits(1) + half, limits(2) - half, steps)');
end
