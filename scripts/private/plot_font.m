%% font = plot_font (ax, region, given)
%%
%% Font size in points for the labels of AX, which is also given to AX for its ticks: GIVEN, or
%% if that is empty the size that AX has, less in a part of the figure (see plot_region) that
%% is low or narrow.

function font = plot_font (ax, region, given)
  font = given;
  if isempty (font)
    room = min (region.size ./ [22, 18]) / region.point;
    font = min (get (ax, 'FontSize'), max (room, 6));
  end
  set (ax, 'FontSize', font);
  if strcmp (plot_toolkit (ancestor (ax, 'figure')), 'gnuplot')
    set (ax, 'FontName', 'Helvetica');   % as plot_string does for the labels
  end
end
