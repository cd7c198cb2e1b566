%% region = plot_region (ax)
%%
%% The part of the figure that belongs to AX with all its labels, and its measures.
%%
%% region.box    [left bottom width height], normalized to the parent of AX
%% region.size   [width height] in pixels of the picture
%% region.point  pixels for one point of font size
%%
%% The box is the outer position that AX had before any plotting function here placed it: an
%% axes that is drawn into again would otherwise become smaller each time.  The gnuplot toolkit
%% prints a picture of 72 pixels for an inch of PaperPosition, but fonts have the size that
%% they have on a screen of 96, so that is what has to fit.

function region = plot_region (ax)
  set (ax, 'Units', 'normalized');
  placed = getappdata (ax, 'attention_placed');
  if isstruct (placed) && max (abs (placed.position - get (ax, 'Position'))) < 1e-6
    region.box = placed.box;
  else
    region.box = get (ax, 'OuterPosition');
  end
  region.box(1:2) = max (region.box(1:2), 0);
  region.box(3:4) = min (region.box(3:4), 1 - region.box(1:2));
  fig = ancestor (ax, 'figure');
  whole = getpixelposition (get (ax, 'Parent'));
  region.point = get (0, 'ScreenPixelsPerInch') / 72;
  if strcmp (plot_toolkit (fig), 'gnuplot')
    inches = get (fig, 'PaperPosition') ./ inch_in (fig);
    whole = whole ./ getpixelposition (fig) .* inches * 72;
    region.point = 4 / 3;
  end
  region.size = whole(3:4) .* region.box(3:4);
end

%% One inch in the units in which the figure gives its place on the paper.
function n = inch_in (fig)
  switch get (fig, 'PaperUnits')
    case 'centimeters'
      n = 2.54;
    case 'points'
      n = 72;
    case 'normalized'
      n = 1 ./ [8.5, 11, 8.5, 11];
    otherwise
      n = 1;
  end
end
