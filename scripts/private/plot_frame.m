%% h = plot_frame (ax, frame)
%%
%% Everything around the data area of AX: places the axes in its part of the figure so that
%% labels, names, title and colour bar have room, and draws them.  The limits and directions
%% of AX are set before.
%%
%% frame.rows     cell array of labels at y = 1, 2, ... (or {}: AX has ticks of its own)
%% frame.columns  cell array of labels at x = 1, 2, ... (or {})
%% frame.XLabel, frame.YLabel, frame.Title, frame.Labels, frame.FontSize, frame.Colorbar
%%                as in the options of attention_heatmap
%% h              struct of handles: rowLabels, columnLabels, xlabel, ylabel, title (one for
%%                each line) and colorbar, [] where there is none; cell = [width height] of one
%%                row and column of the data in pixels, font and point (see plot_region)
%%
%% Title and names are text objects of their own: gnuplot places those of the axes where the
%% token labels are.

function h = plot_frame (ax, frame)
  region = plot_region (ax);
  base = plot_font (ax, region, frame.FontSize);
  if isequal (frame.Labels, false)
    frame.rows(:) = {''};
    frame.columns(:) = {''};
  end
  point = region.point;
  m = struct ('base', base, 'point', point, 'line', 1.25 * base * point, ...
              'all', isequal (frame.Labels, true), 'room', [Inf, Inf]);
  most = max (1, floor (0.3 * region.size(2) / (1.2 * m.line)));
  m.title = plot_wrap (frame.Title, region.size(1) / plot_width (1.2, base, point), most);
  m.xname = plot_wrap (frame.XLabel, region.size(1) / plot_width (1.3, base, point), most);
  m.bar = 0;
  if frame.Colorbar
    m.bar = 24 * point * 0.75 + plot_width (5.5, base, point) - m.line;
  end
  m.room = room_for_labels (frame, region, m);
  plot_place (ax, region, settled (frame, region, m));
  place = (get (ax, 'Position') - [region.box(1:2), 0, 0]) ./ region.box([3, 4, 3, 4]);
  inner = region.size .* place(3:4);
  [rows, columns] = fitted (frame, inner, m);
  at = geometry (ax, inner);
  at.before = place(1) * region.size(1);
  at.after = region.size(1) - inner(1) - at.before;
  h.rowLabels = draw_rows (ax, rows, at, m);
  h.columnLabels = draw_columns (ax, columns, at, m);
  h.xlabel = draw_xname (ax, columns, at, m);
  h.ylabel = draw_yname (ax, frame, rows, at, m);
  h.title = draw_title (ax, at, m);
  h.colorbar = [];
  if frame.Colorbar
    h.colorbar = plot_colorbar (ax, [10, 14] * point * 0.75 / region.size(1) * region.box(3));
  end
  h.cell = [at.across, at.down];
  h.font = base;
  h.point = point;
end

%% Pixels to the left and below that labels may take, so that about a third of each side
%% remains for the data; with a colour bar as many as without it in a region without it.
function room = room_for_labels (frame, region, m)
  frame.Colorbar = false;
  without_bar = bare_margins (frame, m);
  room = [0.65, 0.7] .* (region.size - [m.bar, 0]) - without_bar(1:2) - without_bar(3:4);
end

%% The margins around the data.  Labels need other margins in less room (smaller letters, at
%% another angle), so that margins only become larger: else two choices can follow each other
%% for ever, and the last labels stand in the margins of others.
function margins = settled (frame, region, m)
  margins = bare_margins (frame, m);
  for pass = 1:5
    inner = region.size - margins(1:2) - margins(3:4);
    [rows, columns] = fitted (frame, inner, m);
    margins = max (margins, margins_for (frame, rows, columns, m));
  end
end

%% The margins without labels.
function margins = bare_margins (frame, m)
  frame.rows = {''};
  frame.columns = {''};
  [rows, columns] = fitted (frame, [Inf, Inf], m);
  margins = margins_for (frame, rows, columns, m);
end

%% The labels that fit along both axes of an area of INNER pixels, in one font size.
function [rows, columns] = fitted (frame, inner, m)
  inner = max (inner, 1);
  fonts = unique ([m.base, min(m.base, [9, 8, 7])]);
  fonts = fonts(end:-1:1);
  for turn = 1:2
    rows = [];
    columns = [];
    if ~ isempty (frame.rows)
      rows = plot_thin (frame.rows, inner(2) / numel (frame.rows), fonts, m.point, m.all, ...
                        m.room(1));
      fonts = fonts(fonts <= rows.font);
    end
    if ~ isempty (frame.columns)
      columns = turned (frame.columns, inner(1) / numel (frame.columns), fonts, m);
      fonts = fonts(fonts <= columns.font);
    end
  end
end

%% The labels of columns PITCH pixels apart and their angle; where they do not stand level they
%% are as long as the room below allows.
function columns = turned (texts, pitch, fonts, m)
  room = Inf;
  for turn = 1:2
    columns = plot_thin (texts, pitch, fonts, m.point, m.all, room);
    columns.angle = angle_for (columns, m.point);
    switch columns.angle
      case 0
        return;
      case 45
        room = (m.room(2) - 0.4 * m.line) / 0.71 - columns.font * m.point;
      otherwise
        room = m.room(2) - 0.5 * m.line;
    end
  end
end

%% Level when the labels fit side by side, else slanted, else upright.
function angle = angle_for (columns, point)
  if columns.width + 0.6 * columns.font * point <= columns.pitch
    angle = 0;
  elseif columns.pitch >= 1.7 * columns.font * point
    angle = 45;
  else
    angle = 90;
  end
end

%% [left bottom right top] in pixels.
function margins = margins_for (frame, rows, columns, m)
  left = 0.5 * m.line;
  if isempty (rows)
    left = left + plot_width (5, m.base, m.point);
  else
    left = left + rows.width + 0.5 * m.line;
  end
  bottom = 0.5 * m.line + below (columns, m);
  if ~ isempty (columns) && columns.angle == 45
    left = max (left, 0.75 * columns.width);
  end
  left = left + 1.3 * m.line * ~ isempty (frame.YLabel);
  bottom = bottom + 1.2 * m.line * numel (m.xname);
  right = m.line + m.bar * frame.Colorbar;
  top = 0.6 * m.line + 1.2 * m.line * max (numel (m.title), 1);
  margins = [left, bottom, right, top];
end

%% Pixels that the labels below the area take.
function height = below (columns, m)
  height = 0;
  if isempty (columns)
    height = 1.2 * m.line;
  elseif columns.width > 0
    switch columns.angle
      case 0
        height = 1.3 * m.line;
      case 45
        height = 0.71 * (columns.width + columns.font * m.point) + 0.4 * m.line;
      otherwise
        height = columns.width + 0.5 * m.line;
    end
  end
end

%% Where the corners are in data units, and data units for a pixel to the right and down.
function at = geometry (ax, inner)
  x = get (ax, 'XLim');
  y = get (ax, 'YLim');
  at.left = x(1);
  at.middle = mean (x);
  at.centre = mean (y);
  at.right_by = (x(2) - x(1)) / inner(1);
  at.down_by = (y(2) - y(1)) / inner(2);
  at.bottom = y(2);
  at.top = y(1);
  if strcmp (get (ax, 'YDir'), 'normal')
    at.bottom = y(1);
    at.top = y(2);
    at.down_by = -at.down_by;
  end
  at.across = 1 / at.right_by;
  at.across_all = inner(1);
  at.down = 1 / abs (at.down_by);
end

function h = draw_rows (ax, rows, at, m)
  h = [];
  if ~ isempty (rows) && rows.width > 0
    h = plot_text (ax, at.left - 0.35 * m.line * at.right_by, rows.at, rows.text, ...
                   'HorizontalAlignment', 'right', 'VerticalAlignment', 'middle', ...
                   'FontSize', rows.font);
  end
end

function h = draw_columns (ax, columns, at, m)
  h = [];
  if ~ isempty (columns) && columns.width > 0
    if columns.angle == 0
      place = {'HorizontalAlignment', 'center', 'VerticalAlignment', 'middle'};
      gap = 0.75 * m.line;
    else
      place = {'HorizontalAlignment', 'right', 'VerticalAlignment', 'middle', ...
               'Rotation', columns.angle};
      gap = 0.4 * m.line;
    end
    h = plot_text (ax, columns.at, at.bottom + gap * at.down_by, columns.text, place{:}, ...
                   'FontSize', columns.font);
  end
end

%% X position of lines in a font of FONT points: the middle of the data, or beside it where they
%% would go over the edge of the region.
function x = centred (lines, font, at, m)
  x = at.middle;
  if ~ isempty (lines)
    half = (plot_width (max (cellfun (@plot_columns, lines)), font, m.point) ...
            - at.across_all) / 2;
    left = max (half - at.before, 0);
    right = max (half - at.after, 0);
    if left > 0 && right > 0
      shift = (at.after - at.before) / 2;
    else
      shift = left - right;
    end
    x = x + shift * at.right_by;
  end
end

%% Title and name of the x axis have one text object for each line: gnuplot gets no line ends.
function h = draw_title (ax, at, m)
  up = (0.9 + 1.2 * (numel (m.title) - 1:-1:0)') * m.line;
  x = centred (m.title, 1.1 * m.base, at, m);
  h = plot_text (ax, x, at.top - up * at.down_by, m.title, ...
                 'HorizontalAlignment', 'center', 'VerticalAlignment', 'middle', ...
                 'FontSize', 1.1 * m.base, 'FontWeight', 'bold');
end

function h = draw_xname (ax, columns, at, m)
  down = below (columns, m) + (0.7 + 1.2 * (0:numel (m.xname) - 1)') * m.line;
  x = centred (m.xname, m.base, at, m);
  h = plot_text (ax, x, at.bottom + down * at.down_by, m.xname, ...
                 'HorizontalAlignment', 'center', 'VerticalAlignment', 'middle', ...
                 'FontSize', m.base, 'FontAngle', 'italic');
end

function h = draw_yname (ax, frame, rows, at, m)
  h = [];
  if isempty (frame.YLabel)
    return;
  elseif isempty (rows)
    out = plot_width (5, m.base, m.point);
  else
    out = rows.width + 0.5 * m.line;
  end
  h = plot_text (ax, at.left - (out + 0.6 * m.line) * at.right_by, at.centre, ...
                 strjoin (plot_wrap (frame.YLabel, Inf), ' '), ...
                 'HorizontalAlignment', 'center', 'VerticalAlignment', 'middle', ...
                 'Rotation', 90, 'FontSize', m.base, 'FontAngle', 'italic');
end
