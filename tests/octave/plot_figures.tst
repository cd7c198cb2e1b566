% What the plotting functions draw, on the gnuplot toolkit without a screen.

% Weights of a causal head: random scores, softmax by hand.
%!function A = causal_weights (T)
%!  guard = seeded (7);
%!  A = exp (2 * randn (T)) .* (tril (ones (T)) > 0);
%!  A = A ./ sum (A, 2);
%!endfunction

%!function tokens = sentence (T)
%!  words = {'The', ' animal', ' didn', '''t', ' cross', ' the', ' street', ' because', ' it', ...
%!           ' was', ' too', ' tired'};
%!  tokens = words(mod (0:T - 1, 12) + 1);
%!endfunction

% The text of labels, as a reader of the gnuplot figure sees it.
%!function texts = strings_of (handles)
%!  texts = arrayfun (@(h) getappdata (h, 'attention_text'), handles(:)', 'UniformOutput', false);
%!endfunction

% ---- attention_heatmap --------------------------------------------------------------------------

%!test
%! [fig, guard] = hidden_figure ();
%! A = causal_weights (12);
%! h = attention_heatmap (A, sentence (12), 'Title', 'layer 5, head 4');
%! assert (drawn_cells (h.cells, 12, 12), A);
%! assert (get (h.axes, 'ydir'), 'reverse');
%! assert (get (h.axes, 'clim'), [0, 1]);
%! assert (get (h.colorbar, 'ylim'), [0, 1]);
%! assert (strings_of (h.rowLabels), strtrim (sentence (12)));
%! assert (strings_of (h.columnLabels), strtrim (sentence (12)));
%! assert (strings_of (h.title), {'layer 5, head 4'});
%! assert (strings_of ([h.xlabel, h.ylabel]), {'looked at (key)', 'looks (query)'});
%! position = cell2mat (get (h.rowLabels, 'position'));
%! assert (position(:, 2), (1:12)');
%! assert (all (position(:, 1) < 0.5));
%! position = cell2mat (get (h.columnLabels, 'position'));
%! assert (position(:, 1), (1:12)');
%! assert (all (position(:, 2) > 12.5));
%! assert (gca (), h.axes);
%! assert (ishold (h.axes), false);

% The numbers are in their cells; masked cells have none.
%!test
%! [fig, guard] = hidden_figure ();
%! A = [1, 0, 0; 0.25, 0.75, 0; 0.004, 0.4, 0.596];
%! h = attention_heatmap (A, {'a', 'b', 'c'});
%! position = cell2mat (get (h.values, 'position'));
%! at = sub2ind ([3, 3], position(:, 2), position(:, 1));
%! assert (sort (at)', [1, 2, 3, 5, 6, 9]);
%! texts = strings_of (h.values);
%! for k = 1:6
%!   assert (texts{k}, sprintf ('%.2f', A(at(k))));
%! end
%! % White on the darkest cell, black on the lightest.
%! assert (get (h.values(at == 1), 'color'), [1, 1, 1]);
%! assert (get (h.values(at == 3), 'color'), [0, 0, 0]);

%!test
%! [fig, guard] = hidden_figure ();
%! h = attention_heatmap (causal_weights (30), sentence (30), 'Values', 'on');
%! assert (numel (h.values), 30 * 31 / 2);
%! h = attention_heatmap (causal_weights (60), sentence (60));
%! assert (isempty (h.values));
%! h = attention_heatmap (causal_weights (5), sentence (5), 'Values', 'off');
%! assert (isempty (h.values));

% Long inputs: labels stand at least their own height apart and carry their position.
%!test
%! for T = [60, 512]
%!   [fig, guard] = hidden_figure ();
%!   h = attention_heatmap (causal_weights (T), sentence (T));
%!   texts = strings_of (h.columnLabels);
%!   assert (numel (texts) >= 12 && numel (texts) <= 40);
%!   position = cell2mat (get (h.columnLabels, 'position'));
%!   step = position(2, 1) - position(1, 1);
%!   assert (texts{2}, sprintf ('%d %s', 1 + step, strtrim (sentence (T){1 + step})));
%!   inches = get (fig, 'paperposition');
%!   pixels = inches(3) * 72 * get (h.axes, 'position')(3) / T * step;
%!   assert (pixels >= get (h.columnLabels(1), 'fontsize') * 4 / 3);
%!   clear guard
%! end

%!test
%! [fig, guard] = hidden_figure ();
%! h = attention_heatmap (causal_weights (60), sentence (60), 'Labels', 'on');
%! assert (numel (h.rowLabels), 60);
%! h = attention_heatmap (causal_weights (12), sentence (12), 'Labels', 'off');
%! assert (isempty (h.rowLabels) && isempty (h.columnLabels));

% Rows and columns of cross attention, and positions where there are no tokens.
%!test
%! [fig, guard] = hidden_figure ();
%! A = [0.5, 0.2, 0.3; 0.1, 0.8, 0.1];
%! h = attention_heatmap (A, {{'x', 'y'}, {'a', 'b', 'c'}});
%! assert (strings_of (h.rowLabels), {'x', 'y'});
%! assert (strings_of (h.columnLabels), {'a', 'b', 'c'});
%! h = attention_heatmap (A, {'x', 'y'}, 'KeyTokens', {'a', 'b', 'c'});
%! assert (strings_of (h.columnLabels), {'a', 'b', 'c'});
%! h = attention_heatmap (A);
%! assert (strings_of (h.columnLabels), {'1', '2', '3'});
%! h = attention_heatmap (single (0.5));
%! assert (drawn_cells (h.cells, 1, 1), 0.5);

% Limits and colours.
%!test
%! [fig, guard] = hidden_figure ();
%! h = attention_heatmap ([0.1, 0.04; 0.02, 0.03], 'Limits', [0, 0.25], 'colormap', 'gray');
%! assert (get (h.axes, 'clim'), [0, 0.25]);
%! assert (get (h.axes, 'colormap')([1, end], :), [0, 0, 0; 1, 1, 1]);
%! caxis (h.axes, [0, 0.5]);
%! assert (get (h.colorbar, 'ylim'), [0, 0.5]);
%! colormap (h.axes, jet (16));
%! assert (get (h.colorbar, 'colormap'), jet (16));
%! h = attention_heatmap ([-0.1, 0.04; 0.02, 0.03]);
%! assert (get (h.axes, 'clim'), [-0.1, 0.1]);
%! h = attention_heatmap (eye (2), 'Colorbar', 'off');
%! assert (isempty (h.colorbar));

% Labels are literal: what gnuplot writes into an SVG file.
%!test
%! [fig, guard] = hidden_figure ();
%! odd = {'__init__', 'a_b', 'x^2', '{y}', '\alpha', '`ls`', 'say"hi"', 'a@b', '50%d', '$HOME', ...
%!        'it''s', '<b>&', '#;!', '\n', '\140', char([195, 169, 206, 187])};
%! A = ones (numel (odd)) / numel (odd);
%! h = attention_heatmap (A, odd, 'Title', '_a^b {c} \beta `x` "y"', 'XLabel', 'k_1', ...
%!                        'YLabel', 'q^2', 'Labels', 'on');
%! texts = svg_texts (printed_figure (fig, '-dsvg'));
%! for k = 1:numel (odd)
%!   assert (sum (strcmp (texts, odd{k})), 2, odd{k});
%! end
%! for name = {'_a^b {c} \beta `x` "y"', 'k_1', 'q^2'}
%!   assert (any (strcmp (texts, name{1})), name{1});
%! end

% The leading space of GPT-2's tokens is not drawn, nor is the letter that stands for it.
%!test
%! [fig, guard] = hidden_figure ();
%! tokens = {'hello', ',', [char([196, 160]) 'this'], ' is', ' Tom', ' .'};
%! h = attention_heatmap (causal_weights (6), tokens);
%! assert (strings_of (h.rowLabels), {'hello', ',', 'this', 'is', 'Tom', '.'});

% Files: PNG, SVG and PDF without a screen, for short and long inputs.
%!test
%! assert (getenv ('DISPLAY'), '');
%! for T = [3, 512]
%!   [fig, guard] = hidden_figure ();
%!   attention_heatmap (causal_weights (T), sentence (T), 'Title', 'x');
%!   bytes = printed_figure (fig, '-dpngcairo');
%!   assert (bytes(2:4), 'PNG');
%!   assert (numel (bytes) > 2000);
%!   bytes = printed_figure (fig, '-dsvg');
%!   assert (any (strfind (bytes, '<svg')));
%!   assert (any (strcmp (svg_texts (bytes), 'x')));
%!   bytes = printed_figure (fig, '-dpdfcairo');
%!   assert (bytes(1:5), '%PDF-');
%!   clear guard
%! end

% Cells are sharp in an SVG file: the picture in it has several pixels for each, which a viewer
% that smooths it from pixel to pixel shows as one colour.
%!test
%! for T = [1, 5, 60]
%!   [fig, guard] = hidden_figure ();
%!   A = causal_weights (T);
%!   h = attention_heatmap (A, sentence (T));
%!   assert (drawn_cells (h.cells, T, T), A);
%!   size_of = regexp (printed_figure (fig, '-dsvg'), 'base64,(\S{40})', 'tokens', 'once'){1};
%!   png = double (matlab.net.base64decode (size_of));
%!   assert (png(2:4), double ('PNG'));
%!   pixels = [256 ^ 3, 256 ^ 2, 256, 1] * reshape (png(17:24), 4, 2);
%!   assert (pixels >= 8 * T, sprintf ('%d-by-%d', pixels));
%!   clear guard
%! end

% ---- where things are ---------------------------------------------------------------------------

% Corners [left right bottom top] of a text in pixels of the printed picture; a letter of the fonts
% used is half of the font size wide on average (bold ones 0.56).
%!function box = box_of (h, fig)
%!  ax = get (h, 'parent');
%!  whole = get (fig, 'paperposition')(3:4) * 72;
%!  area = get (ax, 'position') .* whole([1, 2, 1, 2]);
%!  at = get (h, 'position')(1:2);
%!  limits = [get(ax, 'xlim'); get(ax, 'ylim')];
%!  part = (at - limits(:, 1)') ./ diff (limits, 1, 2)';
%!  if (strcmp (get (ax, 'ydir'), 'reverse'))
%!    part(2) = 1 - part(2);
%!  end
%!  at = area(1:2) + part .* area(3:4);
%!  font = get (h, 'fontsize') * 4 / 3;
%!  width = font * (0.5 + 0.06 * strcmp (get (h, 'fontweight'), 'bold')) ...
%!          * numel (getappdata (h, 'attention_text'));
%!  shift = struct ('left', 0, 'center', -0.5, 'right', -1).(get (h, 'horizontalalignment'));
%!  x = (shift + [0, 1, 1, 0]) * width;
%!  y = [-0.4, -0.4, 0.4, 0.4] * font;
%!  turn = get (h, 'rotation') * pi / 180;
%!  corners = [cos(turn), -sin(turn); sin(turn), cos(turn)] * [x; y];
%!  box = [min(corners, [], 2), max(corners, [], 2)]' + at;
%!  box = box(:)';
%!endfunction

% No text of FIG goes over the edge, none below or above the data runs into another line.
%!function expect_room (fig, what)
%!  whole = get (fig, 'paperposition')(3:4) * 72;
%!  texts = findall (fig, 'type', 'text');
%!  texts = texts(arrayfun (@(h) ! isempty (getappdata (h, 'attention_text')), texts));
%!  for h = texts'
%!    box = box_of (h, fig);
%!    inside = box([1, 3]) >= -1 & box([2, 4]) <= whole + 1;
%!    assert (all (inside), '%s: ''%s'' at %s', what, getappdata (h, 'attention_text'), ...
%!            mat2str (box, 4));
%!  end
%!endfunction

% HIGH ends above where LOW begins.
%!function expect_above (high, low, fig, what)
%!  highs = cell2mat (arrayfun (@(h) box_of (h, fig), high(:), 'uniformoutput', false));
%!  lows = cell2mat (arrayfun (@(h) box_of (h, fig), low(:), 'uniformoutput', false));
%!  assert (min (highs(:, 3)) >= max (lows(:, 4)) - 1, what);
%!endfunction

% Short, usual and long tokens, few and many, at the size that a figure has by itself.
%!test
%! long = @(T) arrayfun (@(k) sprintf (' %s%d', repmat ('n', 1, 15), k), 1:T, ...
%!                       'UniformOutput', false);
%! short = @(T) repmat ({' a'}, 1, T);
%! for T = [1, 9, 12, 60]
%!   for tokens = {sentence(T), long(T), short(T)}
%!     A = causal_weights (T);
%!     what = sprintf ('%d tokens, the last is%s', T, tokens{1}{end});
%!     [fig, guard] = hidden_figure ();
%!     h = attention_heatmap (A, tokens{1}, 'Title', 'layer 5, head 4');
%!     expect_room (fig, ['heatmap, ' what]);
%!     expect_above (h.columnLabels, h.xlabel, fig, ['heatmap, ' what]);
%!     clf (fig);
%!     [~, h] = attention_row (A, tokens{1}, T, 'Title', 'layer 5, head 4');
%!     expect_room (fig, ['row, ' what]);
%!     expect_above (h.columnLabels, h.xlabel, fig, ['row, ' what]);
%!     if (! isempty (h.values))
%!       expect_above (h.title, h.values, fig, ['row, ' what]);
%!     end
%!     clf (fig);
%!     attention_lines (A, tokens{1}, 'Title', 'layer 5, head 4');
%!     expect_room (fig, ['lines, ' what]);
%!     clf (fig);
%!     attention_heads (repmat (A, 1, 1, 4, 3), tokens{1}, 'Title', 'all');
%!     expect_room (fig, ['heads, ' what]);
%!     clf (fig);
%!     h = attention_compare (A, tokens{1}, A .^ 2, tokens{1}, 'Token', T);
%!     expect_room (fig, ['compare, ' what]);
%!     expect_above (h.first.columnLabels, h.first.xlabel, fig, ['compare, ' what]);
%!     % Both maps are of one size, and their names stand above the bars.
%!     position = cell2mat (get (h.axes(1:2), 'position'));
%!     assert (position(1, 2:4), position(2, 2:4), 1e-9);
%!     title = findobj (h.axes(3), 'type', 'text', 'fontweight', 'bold');
%!     expect_above ([h.first.xlabel; h.second.xlabel], title, fig, ['compare, ' what]);
%!     clear guard
%!   end
%! end

% ---- axes, figures and state --------------------------------------------------------------------

% 'Parent' is drawn into and the current figure and axes stay what they are.
%!test
%! [other, guard1] = hidden_figure ();
%! [fig, guard2] = hidden_figure ();
%! kept = axes ('parent', fig);
%! target = subplot (1, 2, 1, axes ('parent', other));
%! set (0, 'currentfigure', fig);
%! B = cat (4, eye (3), eye (3));
%! calls = {@() attention_heatmap(eye (3), 'Parent', target), ...
%!          @() nthargout(2, @attention_row, eye (3), [], 2, 'Parent', target), ...
%!          @() attention_heads(B, 'Parent', target), ...
%!          @() attention_lines(eye (3), 'Parent', target), ...
%!          @() attention_compare(eye (3), [], eye (3), [], 'Token', 1, 'Parent', target)};
%! figures = get (0, 'children');
%! for k = 1:numel (calls)
%!   h = calls{k} ();
%!   assert (h.axes(1), target);
%!   assert (get (0, 'currentfigure'), fig);
%!   assert (get (fig, 'currentaxes'), kept);
%!   assert (get (0, 'children'), figures);
%!   assert (isempty (get (kept, 'children')));
%! end

% Drawing again leaves the axes where they are and no second colour bar or panel behind.
%!test
%! [fig, guard] = hidden_figure ();
%! h = attention_heatmap (eye (3));
%! position = get (h.axes, 'position');
%! for k = 1:3
%!   h = attention_heatmap (eye (3));
%!   assert (get (h.axes, 'position'), position, 1e-12);
%!   assert (numel (findall (fig, 'type', 'axes')), 2);
%! end
%! attention_compare (eye (3), [], eye (3), [], 'Token', 1);
%! attention_compare (eye (3), [], eye (3), [], 'Token', 1);
%! assert (numel (findall (fig, 'type', 'axes')), 4);
%! h = attention_heatmap (eye (3));
%! assert (get (h.axes, 'position'), position, 1e-12);
%! assert (numel (findall (fig, 'type', 'axes')), 2);

% Settings, path, warnings and directory are as before; with hold the axes are not cleared.
%!test
%! [fig, guard] = hidden_figure ();
%! before = {get(0, 'default'), path(), pwd(), warning(), get(fig, 'colormap'), ...
%!           get(fig, 'position'), rand('twister')};
%! attention_heatmap (eye (3), {'a', 'b', 'c'});
%! attention_lines (eye (3), {'a', 'b', 'c'});
%! attention_heads (eye (3));
%! assert ({get(0, 'default'), path(), pwd(), warning(), get(fig, 'colormap'), ...
%!          get(fig, 'position'), rand('twister')}, before);
%! clf (fig);
%! ax = axes ('parent', fig);
%! kept = line ([1, 2], [1, 2], 'parent', ax);
%! hold (ax, 'on');
%! attention_heatmap (eye (3));
%! assert (ishghandle (kept));
%! assert (ishold (ax));

% ---- attention_row ------------------------------------------------------------------------------

% The article's line.
%!test
%! tokens = {'The', ' animal', ' didn', '''t', ' it'};
%! A = eye (5);
%! A(5, :) = [0.0812, 0.8549, 0.0299, 0.03, 0.004];
%! line = evalc ("w = attention_row (A, tokens, 'it', 'Title', 'layer 5, head 4', 'Print', 'on');");
%! assert (line, ["layer 5, head 4, from 'it':  The 0.08  animal 0.85  't 0.03" "\n"]);
%! assert (w, A(5, :));
%! line = evalc ("attention_row (A, tokens, 5, 'Draw', 'off');");
%! assert (line, ["from 'it':  The 0.08  animal 0.85  't 0.03" "\n"]);
%! line = evalc ("attention_row (A, tokens, ' it', 'Draw', 'off', 'Threshold', 0.5);");
%! assert (line, ["from 'it':  animal 0.85" "\n"]);
%! line = evalc ("w = attention_row (A, tokens, 'it');");
%! assert (line, '');
%! assert (isempty (get (0, 'currentfigure')));

%!test
%! [fig, guard] = hidden_figure ();
%! A = [0.5, 0.5, 0; 0.25, 0.7, 0.05; 0, 0.02, 0.98];
%! [w, h] = attention_row (A, {'a', 'b', 'a'}, 'a', 'Occurrence', 'last');
%! assert (w, A(3, :));
%! y = get (h.bars, 'ydata');
%! assert (max (y), [0.02, 0.98]);
%! assert (mean (get (h.bars, 'xdata')), [2, 3], eps (4));
%! assert (strings_of (h.columnLabels), {'a', 'b', 'a'});
%! assert (strings_of (h.values), {'0.98'});
%! assert (strings_of (h.title), {'from ''a'''});
%! assert (get (h.axes, 'ylim')(2) >= 0.98);

% ---- attention_heads ----------------------------------------------------------------------------

% Every weight is where its layer, head, row and column say.
%!test
%! [fig, guard] = hidden_figure ();
%! guard2 = seeded (3);
%! A = rand (5, 5, 3, 2);
%! h = attention_heads (A, sentence (5));
%! C = drawn_cells (h.cells, 10, 15);
%! for layer = 1:2
%!   for head = 1:3
%!     assert (C((layer - 1) * 5 + (1:5), (head - 1) * 5 + (1:5)), A(:, :, head, layer));
%!   end
%! end
%! % The first cell begins at the left and upper end of the axes.
%! pixels = size (get (h.cells, 'cdata'));
%! x = get (h.cells, 'xdata');
%! assert (x, [0.5, 3.5] + [1, -1] * 1.5 / pixels(2), 8 * eps);
%! y = get (h.cells, 'ydata');
%! assert (y, [0.5, 2.5] + [1, -1] / pixels(1), 8 * eps);
%! assert (strings_of (h.rowLabels), {'1', '2'});
%! assert (strings_of (h.columnLabels), {'1', '2', '3'});
%! assert (strings_of (h.xlabel){2}(1:21), '5 tokens: The animal ');

% A single large weight stays visible when cells are joined.
%!test
%! [fig, guard] = hidden_figure ();
%! A = zeros (301, 301, 12, 12);
%! A(301, 300, 12, 1) = 1;
%! h = attention_heads (A);
%! C = get (h.cells, 'cdata');
%! assert (max (size (C)) <= 1600);
%! [i, j] = find (C);
%! assert (C(i, j), 1);
%! assert (ceil (12 * [i, j] ./ size (C)), [1, 12]);

% ---- attention_lines ----------------------------------------------------------------------------

%!test
%! [fig, guard] = hidden_figure ();
%! A = [1, 0, 0; 0.29, 0.71, 0; 0.01, 0.02, 0.97];
%! h = attention_lines (A, {'a', 'b', 'c'});
%! found = [];
%! for k = 1:numel (h.lines)
%!   y = reshape (get (h.lines(k), 'ydata'), 3, []);
%!   found = [found; y(1:2, :)', repmat(get (h.lines(k), 'linewidth'), size (y, 2), 1)];
%! end
%! assert (sortrows (found(:, 1:2)), [1, 1; 2, 1; 2, 2; 3, 3]);
%! % A larger weight has a wider line.
%! width = @(i, j) found(found(:, 1) == i & found(:, 2) == j, 3);
%! assert (width (2, 1) < width (2, 2) && width (2, 2) < width (3, 3));
%! h = attention_lines (A, {'a', 'b', 'c'}, 'From', 'b', 'Threshold', 0.5);
%! assert (numel (h.lines), 1);
%! assert (get (h.lines, 'ydata')(1:2), [2, 2]);
%! assert (strings_of (h.rowLabels), {'a', 'b', 'c'});

% ---- attention_compare --------------------------------------------------------------------------

%!test
%! [fig, guard] = hidden_figure ();
%! A1 = [1, 0; 0.4, 0.6];
%! A2 = [1, 0; 0.9, 0.1];
%! h = attention_compare (A1, {'it', ' tired'}, A2, {'it', ' wide'}, 'Token', 2);
%! assert (h.difference, A2(2, :) - A1(2, :));
%! assert (get (h.axes(1), 'clim'), get (h.axes(2), 'clim'));
%! assert (drawn_cells (h.first.cells, 2, 2), A1);
%! assert (drawn_cells (h.second.cells, 2, 2), A2);
%! assert (strings_of (h.first.title), {'it tired'});
%! assert (strings_of (h.second.title), {'it wide'});
%! assert (numel (h.bars), 2);
%! assert (get (h.axes(1), 'position')(3:4), get (h.axes(2), 'position')(3:4), 0.02);
%! h = attention_compare (A1, {'a', 'b'}, eye (3), {'a', 'b', 'c'});
%! assert (numel (h.axes), 2);

% ---- wrong calls --------------------------------------------------------------------------------

%!test
%! A = eye (2);
%! t = {'a', 'b'};
%! cases = { ...
%!   @() attention_heatmap({}), 'bad-type', 'A must be a real matrix of weights, not cell'; ...
%!   @() attention_heatmap(1i), 'bad-type', 'A must be a real matrix'; ...
%!   @() attention_heatmap([]), 'size-mismatch', 'A is empty (0-by-0)'; ...
%!   @() attention_heatmap(ones (2, 2, 2)), 'size-mismatch', 'choose one page'; ...
%!   @() attention_heatmap(A, {'a'}), 'size-mismatch', 'must have 2 tokens'; ...
%!   @() attention_heatmap(A, {1, 2}), 'bad-type', 'must be a cell array of text, not cell'; ...
%!   @() attention_heatmap(A, ['a'; 'b']), 'bad-type', 'not char'; ...
%!   @() attention_heatmap(A, t, 'Colour', 1), 'bad-option', '''Colour'' is not an option'; ...
%!   @() attention_heatmap(A, t, 'Title'), 'bad-option', 'option ''Title'' has no value'; ...
%!   @() attention_heatmap(A, t, 'Title', 3), 'bad-option', 'must be text, not 3'; ...
%!   @() attention_heatmap(A, t, 'Limits', [1, 0]), 'bad-option', 'low < high, not [1 0]'; ...
%!   @() attention_heatmap(A, t, 'Colormap', 'no%smap'), 'bad-option', '''no%smap'' is not a'; ...
%!   @() attention_heatmap(A, t, 'Labels', 'many'), 'bad-option', 'not ''many'''; ...
%!   @() attention_heatmap(A, t, 'Parent', 17.5), 'bad-option', 'an axes handle'; ...
%!   @() attention_row(A, t, 'z', 'Draw', 'off'), 'out-of-range', '''z'' is not among'; ...
%!   @() attention_row(A, {'a', 'a'}, 'a'), 'bad-option', 'at positions 1, 2'; ...
%!   @() attention_row(A, t, 3), 'out-of-range', 'from 1 to 2, not 3'; ...
%!   @() attention_row(A, t, {}), 'bad-type', 'text or a position, not cell'; ...
%!   @() attention_heads(ones (2, 2, 2, 2, 2)), 'size-mismatch', 'at most 4 dimensions'; ...
%!   @() attention_lines(A, t, 'From', 'z'), 'out-of-range', '''z'' is not among'; ...
%!   @() attention_compare(A, t, eye (3), {'a', 'b', 'c'}, 'Token', 1), 'size-mismatch', ...
%!     'not 2 and 3'; ...
%!   @() attention_compare(ones (2, 3), t, A, t), 'size-mismatch', 'must be square'; ...
%!   @() attention_compare(A, t, A, t, 'Titles', {'a'}), 'bad-option', 'two texts'};
%! for k = 1:size (cases, 1)
%!   try
%!     cases{k, 1} ();
%!     error ('no error for case %d', k);
%!   catch failure
%!   end
%!   assert (failure.identifier, ['attention:' cases{k, 2}], failure.message);
%!   assert (any (strfind (failure.message, cases{k, 3})), failure.message);
%! end
%! % Nothing was drawn by a call that fails.
%! assert (isempty (get (0, 'children')));

%!error <Invalid call> attention_heatmap ()
%!error <Invalid call> attention_row (1)
%!error <Invalid call> attention_heads ()
%!error <Invalid call> attention_lines ()
%!error <Invalid call> attention_compare (1, {}, 1)
