%% -*- texinfo -*-
%% @deftypefn  {} {} attention_lines (@var{A}, @var{tokens})
%% @deftypefnx {} {} attention_lines (@dots{}, @var{name}, @var{value}, @dots{})
%% @deftypefnx {} {@var{h} =} attention_lines (@dots{})
%% Draw attention as lines from each token that looks to the tokens it looks at.
%%
%% The tokens that look are on the left, those looked at on the right.  The larger a weight of
%% @var{A}, the wider and darker its line.  @var{tokens} is as for @code{attention_heatmap}.
%%
%% Options, as @var{name}, @var{value} pairs:
%%
%% @table @asis
%% @item @qcode{'From'}
%% Only the lines from this token: its text or its position.
%% @item @qcode{'Occurrence'}
%% @qcode{'first'}, @qcode{'last'}, or 1, 2, @dots{} of the tokens with the text @qcode{'From'}.
%% @item @qcode{'Threshold'}
%% Smallest weight that has a line; 0.03.
%% @item @qcode{'Limits'}
%% Weights with the thinnest and the widest line; by default from 0 to the largest weight,
%% rounded up.
%% @item @qcode{'Title'}, @qcode{'XLabel'}, @qcode{'YLabel'}, @qcode{'Colormap'}
%% @itemx @qcode{'Colorbar'}, @qcode{'Labels'}, @qcode{'FontSize'}, @qcode{'KeyTokens'}
%% @itemx @qcode{'Parent'}
%% As for @code{attention_heatmap}; @qcode{'XLabel'} is above the right column,
%% @qcode{'YLabel'} above the left one.
%% @end table
%%
%% The output is a struct with handles: @code{axes}, @code{lines} (one for each of up to 16
%% shades, lightest first), @code{colorbar}, @code{title}, @code{xlabel}, @code{ylabel},
%% @code{rowLabels}, @code{columnLabels}.
%%
%% Errors: @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}, @code{attention:out-of-range}.
%% @seealso{attention_heatmap, attention_row}
%% @end deftypefn

function handles = attention_lines (A, varargin)
  if nargin < 1
    print_usage ();
  end
  fname = 'attention_lines';
  [tokens, args] = plot_arguments (varargin);
  defaults = struct ('Title', '', 'XLabel', 'looked at', 'YLabel', 'looks', ...
                     'From', [], 'Occurrence', [], 'Threshold', 0.03, 'Limits', [], ...
                     'Colormap', [], 'Colorbar', true, 'Labels', 'auto', ...
                     'KeyTokens', {{}}, 'FontSize', [], 'Parent', []);
  options = plot_options (fname, defaults, args);
  plot_weights (fname, A, 'A', 2);
  [options.rows, options.columns, row_tokens] = plot_both_tokens (fname, A, tokens, ...
                                                                  options.KeyTokens);
  limits = plot_limits (options.Limits, A);
  map = plot_colormap (options.Colormap, limits);
  if ~ isempty (options.From)
    from = plot_find_token (fname, row_tokens, size (A, 1), options.From, options.Occurrence);
    A([1:from - 1, from + 1:end], :) = 0;
  end

  [ax, restore] = plot_axes (options.Parent);
  h.axes = ax;
  most = max (size (A));
  set (ax, 'XLim', [0, 1], 'YLim', [0.5, most + 0.5], 'YDir', 'reverse', 'XTick', [], ...
       'YTick', [], 'Visible', 'off', 'CLim', limits, 'Colormap', map);
  y = {centred(size (A, 1), most), centred(size (A, 2), most)};
  h.lines = draw_lines (ax, double (A), y, options.Threshold, limits, map);
  frame = plot_columns_frame (ax, options, y);
  for name = {'colorbar', 'title', 'xlabel', 'ylabel', 'rowLabels', 'columnLabels'}
    h.(name{1}) = frame.(name{1});
  end
  if nargout > 0
    handles = h;
  end
end

%% Heights of N tokens in the middle of MOST places.
function y = centred (n, most)
  y = (1:n)' + (most - n) / 2;
end

%% Lines in up to 16 steps of width and colour, one object for each, the faintest below.
function h = draw_lines (ax, A, y, threshold, limits, map)
  h = [];
  steps = 16;
  part = min (max ((A - limits(1)) / (limits(2) - limits(1)), 0), 1);
  level = ceil (part * steps);
  level(A < threshold | A == 0) = 0;
  for k = unique (level(level > 0))'
    [i, j] = find (level == k);
    i = i(:)';
    j = j(:)';
    x = repmat ([0; 1; NaN], 1, numel (i));
    heights = [y{1}(i)'; y{2}(j)'; NaN(1, numel (i))];
    color = map(max (1, round (k / steps * size (map, 1))), :);
    h(end + 1, 1) = line ('Parent', ax, 'XData', x(:), 'YData', heights(:), ...
                          'Color', color, 'LineWidth', 0.5 + 5 * k / steps);
  end
end

%!test
%! fig = figure ('visible', 'off');
%! unwind_protect
%!   h = attention_lines ([1, 0; 0.5, 0.5], {'a', 'b'});
%!   assert (numel (h.lines), 2);
%!   assert (get (h.lines(2), 'ydata')(1:2)(:), [1; 1]);
%! unwind_protect_cleanup
%!   delete (fig);
%! end_unwind_protect
%!error <'c' is not among the tokens> attention_lines (eye (2), {'a', 'b'}, 'From', 'c')
