%% -*- texinfo -*-
%% @deftypefn  {} {} attention_compare (@var{A1}, @var{tokens1}, @var{A2}, @var{tokens2})
%% @deftypefnx {} {} attention_compare (@dots{}, @var{name}, @var{value}, @dots{})
%% @deftypefnx {} {@var{h} =} attention_compare (@dots{})
%% Draw the attention of two sentences side by side, with the same colours for the same weights.
%%
%% @var{A1} and @var{A2} are matrices of weights and @var{tokens1} and @var{tokens2} their
%% tokens, as for @code{attention_heatmap}.  With the option @qcode{'Token'} bars below show how
%% the row of that token changes from the first to the second sentence; both must have equally
%% many columns then.
%%
%% Options, as @var{name}, @var{value} pairs:
%%
%% @table @asis
%% @item @qcode{'Token'}
%% The token whose row is compared: its text or its position, in both sentences.
%% @item @qcode{'Occurrence'}
%% @qcode{'first'}, @qcode{'last'}, or 1, 2, @dots{} of the tokens with that text.
%% @item @qcode{'Threshold'}
%% Smallest change that is written at its bar where there is room; 0.03.
%% @item @qcode{'Titles'}
%% Cell array with the two titles; by default the two sentences.
%% @item @qcode{'Title'}
%% A line above both titles.
%% @item @qcode{'Limits'}, @qcode{'Colormap'}, @qcode{'Colorbar'}, @qcode{'Labels'}
%% @itemx @qcode{'Values'}, @qcode{'XLabel'}, @qcode{'YLabel'}, @qcode{'FontSize'}
%% @itemx @qcode{'Parent'}
%% As for @code{attention_heatmap}.  The axes @qcode{'Parent'} are divided among the pictures.
%% @end table
%%
%% The output is a struct: @code{axes} (two or three handles), @code{first} and @code{second}
%% (the structs of @code{attention_heatmap}), @code{bars} (handles) and @code{difference} (the
%% row of the second minus that of the first; @code{[]} without @qcode{'Token'}).
%%
%% Errors: @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}, @code{attention:out-of-range}.
%% @seealso{attention_heatmap, attention_row}
%% @end deftypefn

function handles = attention_compare (A1, tokens1, A2, tokens2, varargin)
  if nargin < 4
    print_usage ();
  end
  fname = 'attention_compare';
  defaults = struct ('Title', '', 'Titles', {{}}, 'XLabel', 'looked at (key)', ...
                     'YLabel', 'looks (query)', 'Token', [], 'Occurrence', [], ...
                     'Threshold', 0.03, 'Limits', [], 'Colormap', [], 'Colorbar', true, ...
                     'Labels', 'auto', 'Values', 'auto', 'FontSize', [], 'Parent', []);
  options = plot_options (fname, defaults, varargin);
  plot_weights (fname, A1, 'A1', 2);
  plot_weights (fname, A2, 'A2', 2);
  first = checked_side (fname, A1, tokens1, 'tokens1');
  second = checked_side (fname, A2, tokens2, 'tokens2');
  change = row_change (fname, first, second, options);
  limits = plot_limits (options.Limits, [A1(:); A2(:)]);

  [ax, restore] = plot_axes (options.Parent);
  region = plot_region (ax);
  half = region;
  half.size = region.size .* [0.5, 1 - 0.42 * ~ isempty(change.values)];
  options.FontSize = plot_font (ax, half, options.FontSize);
  boxes = divided (region, ~ isempty (change.values), options);
  half.size(1) = boxes(1, 3) / region.box(3) * region.size(1);
  common = {'XLabel', options.XLabel, 'YLabel', options.YLabel, 'Limits', limits, 'Colormap', ...
            options.Colormap, 'Labels', options.Labels, 'Values', options.Values, ...
            'FontSize', options.FontSize};
  panels = [ax, plot_panels(ax, boxes)];
  h.axes = panels;
  h.first = attention_heatmap (A1, tokens1, 'Parent', panels(1), 'Colorbar', 'off', ...
                               'Title', panel_title (options, 1, first, half), common{:});
  h.second = attention_heatmap (A2, tokens2, 'Parent', panels(2), ...
                                'Colorbar', options.Colorbar, ...
                                'Title', panel_title (options, 2, second, half), common{:});
  h.bars = [];
  h.difference = change.values;
  if ~ isempty (change.values)
    h.bars = draw_change (panels(3), change, options);
  end
  plot_attach (ax, [panels(2:end), h.second.colorbar], region.box);
  if nargout > 0
    handles = h;
  end
end

function part = checked_side (fname, A, tokens, name)
  part.A = double (A);
  part.tokens = tokens;
  part.labels = plot_tokens (fname, tokens, size (A, 1), name);
  if size (A, 1) ~= size (A, 2)
    error ('attention:size-mismatch', ...
           '%s: the weights of %s must be square, but are %d-by-%d', fname, name, size (A));
  end
end

%% The row of the chosen token in the second sentence minus that in the first.
function change = row_change (fname, first, second, options)
  change = struct ('values', [], 'labels', {{}}, 'name', '');
  if isempty (options.Token)
    return;
  end
  n = [numel(first.labels), numel(second.labels)];
  if n(1) ~= n(2)
    error ('attention:size-mismatch', ...
           '%s: option ''Token'' needs equally many tokens in both sentences, not %d and %d', ...
           fname, n(1), n(2));
  end
  i = plot_find_token (fname, first.tokens, n(1), options.Token, options.Occurrence);
  j = plot_find_token (fname, second.tokens, n(2), options.Token, options.Occurrence);
  change.values = second.A(j, :) - first.A(i, :);
  change.labels = first.labels;
  differ = find (~ strcmp (first.labels, second.labels))';
  for k = differ
    change.labels{k} = [first.labels{k}, '/', second.labels{k}];
  end
  change.name = change.labels{i};
end

%% The boxes of both heatmaps and of the bars; the second box is wider by what its colour bar
%% needs (see margins_for in plot_frame), so that both heatmaps have the same size.
function boxes = divided (region, with_bars, options)
  box = region.box;
  low = 0.42 * box(4) * with_bars;
  bar = 0;
  if options.Colorbar
    bar = (18 - 1.25 * options.FontSize) * region.point ...
          + plot_width (5.5, options.FontSize, region.point);
  end
  bar = bar / region.size(1) * box(3);
  half = (box(3) - bar) / 2;
  boxes = [box(1), box(2) + low, half, box(4) - low; ...
           box(1) + half, box(2) + low, half + bar, box(4) - low];
  if with_bars
    boxes(3, :) = [box(1:3), low];
  end
end

%% The lines above one heatmap, broken for the narrower of the two, so that both have as many.
function lines = panel_title (options, k, part, half)
  width = half.size(1) / plot_width (1.2, options.FontSize, half.point);
  if ~ isempty (options.Titles)
    text = options.Titles{k};
  else
    text = plot_sentence (part.labels, part.tokens, min (120, 2.6 * width));
  end
  lines = [plot_wrap(options.Title, width), plot_wrap(text, width)];
end

function h = draw_change (ax, change, options)
  w = change.values;
  n = numel (w);
  shown = [];
  if ~ isequal (options.Values, false)
    shown = find (abs (w) >= options.Threshold & w ~= 0);
  end
  ends = [min([w, 0]), max([w, 0])];
  room = max (plot_bar_room (ax, shown, n, options.FontSize) ...
              * [any(w(shown) < 0), any(w(shown) > 0)], 0.05);
  limits = ends + [-1, 1] .* room * max (diff (ends), 0.01) / (1 - min (sum (room), 0.7));
  set (ax, 'XLim', [0.3, n + 0.7], 'YLim', limits, 'XTick', [], 'Box', 'on', 'Layer', 'top');
  h = [plot_bars(ax, 1:n, max (w, 0), 0.8, [0.19, 0.49, 0.74]), ...
       plot_bars(ax, 1:n, min (w, 0), 0.8, [0.78, 0.24, 0.20])];
  line ('Parent', ax, 'XData', [0.3, n + 0.7], 'YData', [0, 0], 'Color', [0, 0, 0]);
  options.rows = {};
  options.columns = change.labels;
  options.XLabel = '';
  options.YLabel = 'change';
  options.Colorbar = false;
  options.Title = ['from ''', change.name, ''': second minus first'];
  frame = plot_frame (ax, options);
  if ~ isempty (shown)
    plot_bar_values (ax, shown, w(shown), frame, limits, options.Values);
  end
end

%!test
%! fig = figure ('visible', 'off');
%! unwind_protect
%!   A = [1, 0; 0.25, 0.75];
%!   B = [1, 0; 0.5, 0.5];
%!   h = attention_compare (A, {'a', 'b'}, B, {'a', 'c'}, 'Token', 2);
%!   assert (h.difference, [0.25, -0.25]);
%!   assert (numel (h.axes), 3);
%!   assert (get (h.axes(2), 'clim'), [0, 1]);
%! unwind_protect_cleanup
%!   delete (fig);
%! end_unwind_protect
%!error <weights of tokens1 must be square> attention_compare (ones (2, 3), [], eye (2), [])
