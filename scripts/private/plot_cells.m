%% h = plot_cells (ax, x, y, C)
%%
%% One rectangle of one colour for each element of C.
%%
%% ax  axes handle; its colour limits and map give the colours
%% x   [first last] centres of the columns, y the same of the rows
%% C   rows-by-columns
%% h   handle of a flat surface, or with gnuplot (which draws surfaces slowly) and for very many
%%     cells of an image: gl2ps, through which the OpenGL toolkits write SVG, often comes without
%%     the library that it needs to write images, but takes minutes for 2^18 cells of a surface.
%%     The image for gnuplot has several pixels for each cell: what shows an SVG file smooths the
%%     borders between pixels.

function h = plot_cells (ax, x, y, C)
  largest_surface = 2 ^ 15;
  toolkit = plot_toolkit (ancestor (ax, 'figure'));
  if any (strcmp (toolkit, {'gnuplot', 'matlab'})) || numel (C) > largest_surface
    finer = [1, 1];
    if strcmp (toolkit, 'gnuplot')
      finer = ceil (600 ./ size (C));
      C = C(ceil ((1:end * finer(1)) / finer(1)), ceil ((1:end * finer(2)) / finer(2)));
    end
    h = image ('Parent', ax, 'XData', centres (x, finer(2), size (C, 2)), ...
               'YData', centres (y, finer(1), size (C, 1)), ...
               'CData', C, 'CDataMapping', 'scaled');
  else
    h = surface ('Parent', ax, 'XData', edges (x, size (C, 2)), ...
                 'YData', edges (y, size (C, 1))', 'ZData', -0.5 * ones (size (C) + 1), ...
                 'CData', C([1:end, end], [1:end, end]), ...
                 'FaceColor', 'flat', 'EdgeColor', 'none');
    set (ax, 'ZLim', [-1, 1]);
    setappdata (h, 'attention_cells', {x, y, C});
  end
end

%% Centres of the first and last of N pixels that divide each cell into FINER ones.
function ends = centres (ends, finer, n)
  if finer > 1
    e = edges (ends, n / finer);
    half = (e(end) - e(1)) / n / 2;
    ends = [e(1) + half, e(end) - half];
  end
end

function e = edges (centres, n)
  half = (centres(2) - centres(1)) / max (n - 1, 1) / 2;
  if n == 1
    half = 0.5;
  end
  e = linspace (centres(1) - half, centres(2) + half, n + 1);
end
