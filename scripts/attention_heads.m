%% -*- texinfo -*-
%% @deftypefn  {} {} attention_heads (@var{A})
%% @deftypefnx {} {} attention_heads (@var{A}, @var{tokens})
%% @deftypefnx {} {} attention_heads (@dots{}, @var{name}, @var{value}, @dots{})
%% @deftypefnx {} {@var{h} =} attention_heads (@dots{})
%% Draw the attention of all heads of all layers in one picture.
%%
%% @var{A} is @var{T}-by-@var{T}-by-@var{heads}-by-@var{layers}, as @code{gpt2_attn} gives it.
%% Each head is one small heatmap, with the tokens that look from top to bottom and those looked
%% at from left to right; the rows of the picture are the layers, its columns the heads, both
%% counted from 1.  All have the same colour scale.  @var{tokens} (optional) are written below.
%% With very many tokens several cells are drawn as one, with the largest of their weights.
%% On SVG files of large pictures see @code{attention_heatmap}.
%%
%% Options, as @var{name}, @var{value} pairs: @qcode{'Title'}, @qcode{'XLabel'},
%% @qcode{'YLabel'}, @qcode{'Limits'}, @qcode{'Colormap'}, @qcode{'Colorbar'},
%% @qcode{'Labels'}, @qcode{'FontSize'}, @qcode{'Parent'}, as for @code{attention_heatmap}.
%%
%% The output is a struct with handles: @code{axes}, @code{cells}, @code{grid},
%% @code{colorbar}, @code{title}, @code{xlabel}, @code{ylabel}, @code{rowLabels},
%% @code{columnLabels}.
%%
%% Errors: @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}.
%% @seealso{attention_heatmap, gpt2_attn}
%% @end deftypefn

function handles = attention_heads (A, varargin)
  if nargin < 1
    print_usage ();
  end
  fname = 'attention_heads';
  [tokens, args] = plot_arguments (varargin);
  defaults = struct ('Title', '', 'XLabel', 'head', 'YLabel', 'layer', 'Limits', [], ...
                     'Colormap', [], 'Colorbar', true, 'Labels', 'auto', ...
                     'FontSize', [], 'Parent', []);
  options = plot_options (fname, defaults, args);
  plot_weights (fname, A, 'A', 4);
  [rows, columns, heads, layers] = size (A);
  if ~ isempty (tokens)
    options.XLabel = {options.XLabel, caption(plot_tokens (fname, tokens, rows, 'tokens'), tokens)};
  end
  limits = plot_limits (options.Limits, A);

  [ax, restore] = plot_axes (options.Parent);
  h.axes = ax;
  C = composed (double (A));
  step = [heads, layers] ./ [size(C, 2), size(C, 1)];
  h.cells = plot_cells (ax, 0.5 + [step(1) / 2, heads - step(1) / 2], ...
                        0.5 + [step(2) / 2, layers - step(2) / 2], C);
  set (ax, 'XLim', [0.5, heads + 0.5], 'YLim', [0.5, layers + 0.5], 'YDir', 'reverse', ...
       'XTick', [], 'YTick', [], 'Box', 'on', 'Layer', 'top', 'CLim', limits, ...
       'Colormap', plot_colormap (options.Colormap, limits));
  h.grid = grid_lines (ax, heads, layers);
  options.rows = plot_tokens (fname, [], layers, '');
  options.columns = plot_tokens (fname, [], heads, '');
  frame = plot_frame (ax, options);
  for name = {'colorbar', 'title', 'xlabel', 'ylabel', 'rowLabels', 'columnLabels'}
    h.(name{1}) = frame.(name{1});
  end
  if nargout > 0
    handles = h;
  end
end

%% All pages side by side: heads to the right, layers down; (rows*layers)-by-(columns*heads).
function C = composed (A)
  most = 1600;
  [rows, columns, heads, layers] = size (A);
  A = pooled (A, ceil (rows * layers / most), ceil (columns * heads / most));
  C = reshape (permute (A, [1, 4, 2, 3]), size (A, 1) * layers, size (A, 2) * heads);
end

%% The largest of each DOWN-by-ACROSS cells, so that a single large weight stays visible.
function B = pooled (A, down, across)
  [rows, columns, heads, layers] = size (A);
  B = -Inf (ceil (rows / down), ceil (columns / across), heads, layers);
  for i = 1:min (down, rows)
    for j = 1:min (across, columns)
      part = A(i:down:end, j:across:end, :, :);
      m = size (part, 1);
      n = size (part, 2);
      B(1:m, 1:n, :, :) = max (B(1:m, 1:n, :, :), part);
    end
  end
end

%% The borders between heads, one line object (none for one head: gnuplot would wait for data).
function h = grid_lines (ax, heads, layers)
  h = [];
  if heads * layers == 1
    return;
  end
  x = 1.5:heads - 0.5;
  y = 1.5:layers - 0.5;
  across = [repmat([0.5; heads + 0.5; NaN], 1, numel (y)), [x; x; NaN * x]];
  down = [[y; y; NaN * y], repmat([0.5; layers + 0.5; NaN], 1, numel (x))];
  h = line ('Parent', ax, 'XData', across(:), 'YData', down(:), 'Color', [0.6, 0.6, 0.6], ...
            'LineWidth', 0.5);
end

%% '12 tokens: The animal ...', at most three lines or so.
function text = caption (labels, tokens)
  text = plot_sentence (labels, tokens, 120);
  if numel (labels) == 1
    text = ['1 token: ', text];
  else
    text = sprintf ('%d tokens: %s', numel (labels), text);
  end
end

%!test
%! fig = figure ('visible', 'off');
%! unwind_protect
%!   A = cat (4, eye (2), [1, 0; 0.5, 0.5], tril (ones (2)));
%!   h = attention_heads (A, {'a', 'b'});
%!   assert (drawn_cells (h.cells, 6, 2), [A(:, :, 1, 1); A(:, :, 1, 2); A(:, :, 1, 3)]);
%!   assert (numel (h.rowLabels), 3);
%!   assert (numel (h.columnLabels), 1);
%! unwind_protect_cleanup
%!   delete (fig);
%! end_unwind_protect
%!error <at most 4 dimensions> attention_heads (ones (2, 2, 2, 2, 2))
