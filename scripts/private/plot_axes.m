%% [ax, restore] = plot_axes (parent)
%%
%% The axes to draw into, prepared as Octave's own plotting functions do it (newplot: hold and
%% NextPlot are respected, a figure is made when there is none).
%%
%% parent   axes handle or []: the current axes
%% ax       axes handle
%% restore  with PARENT given: an object which, when it is cleared, makes the figure and the
%%          axes current that were current before; keep it until the function returns

function [ax, restore] = plot_axes (parent)
  restore = [];
  if isempty (parent)
    ax = newplot ();
  else
    fig = ancestor (parent, 'figure');
    was_figure = get (0, 'CurrentFigure');
    was_axes = get (fig, 'CurrentAxes');
    restore = onCleanup (@() make_current (was_figure, fig, was_axes));
    ax = newplot (parent);
  end
end

function make_current (figure_before, fig, axes_before)
  if ~ isempty (axes_before) && ishghandle (fig) && ishghandle (axes_before)
    set (fig, 'CurrentAxes', axes_before);
  end
  if isempty (figure_before) || ishghandle (figure_before)
    set (0, 'CurrentFigure', figure_before);
  end
end
