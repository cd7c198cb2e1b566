%% h = plot_columns_frame (ax, frame, y)
%%
%% Like plot_frame, for two columns of tokens at both sides of AX: frame.rows at heights y{1}
%% on the left under frame.YLabel, frame.columns at heights y{2} on the right under
%% frame.XLabel.

function h = plot_columns_frame (ax, frame, y)
  region = plot_region (ax);
  base = plot_font (ax, region, frame.FontSize);
  if isequal (frame.Labels, false)
    frame.rows(:) = {''};
    frame.columns(:) = {''};
  end
  point = region.point;
  line = 1.25 * base * point;
  title = plot_wrap (frame.Title, region.size(1) / plot_width (1.2, base, point), ...
                     max (1, floor (0.3 * region.size(2) / (1.2 * line))));
  top = (0.7 + 1.2 * max (numel (title), 1) + 1.3) * line;
  places = diff (get (ax, 'YLim'));
  pitch = (region.size(2) - top - 0.5 * line) / places;
  fonts = unique (min (base, [base, 9, 8, 7]));
  bar = frame.Colorbar * (24 * point * 0.75 + plot_width (5.5, base, point));
  room = (0.65 * region.size(1) - bar) / 2 - 1.3 * line;
  sides = cell (1, 2);
  for turn = 1:2
    texts = {frame.rows, frame.columns};
    for k = 1:2
      sides{k} = plot_thin (texts{k}, pitch, fonts(end:-1:1), point, ...
                            isequal (frame.Labels, true), room);
      fonts = fonts(fonts <= sides{k}.font);
    end
  end
  names = [plot_columns(one_line (frame.YLabel)), plot_columns(one_line (frame.XLabel))] / 2;
  names = min (plot_width (names, base, point), room);
  left = max (sides{1}.width + line, names(1)) + 0.3 * line;
  right = max (sides{2}.width + line, names(2)) + 0.3 * line;
  plot_place (ax, region, [left, 0.5 * line, right + bar, top]);

  width = region.size(1) - left - right - bar;
  gap = 0.5 * line / width;
  h.rowLabels = side (ax, -gap, y{1}, sides{1}, 'right');
  h.columnLabels = side (ax, 1 + gap, y{2}, sides{2}, 'left');
  above = 0.5 - [0.8; 2.3] * line / pitch;
  style = {'HorizontalAlignment', 'center', 'VerticalAlignment', 'middle', 'FontSize', base};
  h.ylabel = plot_text (ax, 0, above(1), one_line (frame.YLabel), style{:}, ...
                        'FontAngle', 'italic');
  h.xlabel = plot_text (ax, 1, above(1), one_line (frame.XLabel), style{:}, ...
                        'FontAngle', 'italic');
  up = 1.2 * (numel (title) - 1:-1:0)' * line / pitch;
  h.title = plot_text (ax, 0.5, above(2) - up, title, style{:}, 'FontSize', 1.1 * base, ...
                       'FontWeight', 'bold');
  h.colorbar = [];
  if frame.Colorbar
    share = region.box(3) / region.size(1);
    h.colorbar = plot_colorbar (ax, [right + 5, 14 * point * 0.75] * share);
  end
end

function h = side (ax, x, y, labels, alignment)
  h = plot_text (ax, x, y(labels.at), labels.text, 'HorizontalAlignment', alignment, ...
                 'VerticalAlignment', 'middle', 'FontSize', labels.font);
end

function text = one_line (text)
  text = strjoin (plot_wrap (text, Inf), ' ');
end
