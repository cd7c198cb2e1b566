function [fig, guard] = hidden_figure (toolkit)
% A figure that is not shown, drawn by TOOLKIT (default gnuplot); deleted when GUARD is cleared.
% Octave warns once in a session that gnuplot is not its favourite; that is silenced.

  if (nargin < 1)
    toolkit = 'gnuplot';
  end
  state = warning ('off', 'all');
  fig = figure ('visible', 'off');
  if (! strcmp (graphics_toolkit (fig), toolkit))
    graphics_toolkit (fig, toolkit);
  end
  warning (state);
  guard = onCleanup (@() delete (fig(ishghandle (fig))));
end
