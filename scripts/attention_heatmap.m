%% -*- texinfo -*-
%% @deftypefn  {} {} attention_heatmap (@var{A})
%% @deftypefnx {} {} attention_heatmap (@var{A}, @var{tokens})
%% @deftypefnx {} {} attention_heatmap (@dots{}, @var{name}, @var{value}, @dots{})
%% @deftypefnx {} {@var{h} =} attention_heatmap (@dots{})
%% Draw attention weights as a heatmap: row @var{i} shows where token @var{i} looks.
%%
%% @var{A} is the @var{Nq}-by-@var{Nk} matrix of weights, the second output of @code{attention} or
%% one page of the first output of @code{gpt2_attn}.  @var{tokens} is a cell array with the text of
%% the tokens, for both axes, or @code{@{@var{rows}, @var{columns}@}} with one cell array for each.
%% Without it positions are shown.
%%
%% The tokens that look run down the left side, the tokens looked at along the bottom.  Labels are
%% drawn as they stand, without the leading space of GPT-2's tokens; a token of spaces shows as an
%% open box, a line end as \n, bytes that are not UTF-8 as \xNN.  When there are more tokens than
%% fit, every second, third, @dots{} is labelled, with its position before it. A weight of exactly
%% zero (masked) has no number in its cell.
%%
%% Options, as @var{name}, @var{value} pairs:
%%
%% @table @asis
%% @item @qcode{'Title'}
%% Text above the picture, broken into lines where it is too long.
%% @item @qcode{'XLabel'}, @qcode{'YLabel'}
%% Names of the axes; @qcode{'looked at (key)'} and @qcode{'looks (query)'}.
%% @item @qcode{'Limits'}
%% Values [@var{low} @var{high}] at both ends of the colour scale.  The default is from 0 to the
%% largest weight, rounded up to 1, 2 or 5 times a power of ten.  Weights are never rescaled.
%% @item @qcode{'Colormap'}
%% Name or handle of a colour map function, or an @var{N}-by-3 matrix; by default white to
%% dark blue.
%% @item @qcode{'Colorbar'}
%% @qcode{'on'} (default) or @qcode{'off'}.
%% @item @qcode{'Labels'}
%% @qcode{'auto'} (default, as many as fit), @qcode{'on'} (all) or @qcode{'off'}.
%% @item @qcode{'Values'}
%% The weight as a number in each cell: @qcode{'auto'} (default, when there is room),
%% @qcode{'on'} or @qcode{'off'}.
%% @item @qcode{'KeyTokens'}
%% Tokens of the columns, where @var{tokens} are those of the rows.
%% @item @qcode{'FontSize'}
%% In points; smaller sizes are used for the labels when that gives room to all.
%% @item @qcode{'Parent'}
%% Axes to draw into, instead of the current ones.
%% @end table
%%
%% The picture prints to PNG, SVG and PDF.  More than 32768 cells are drawn as an image; where
%% Octave's qt and fltk toolkits warn that GL2PS cannot put images into SVG files, print those as
%% PDF, or with @code{graphics_toolkit (gcf, 'gnuplot')} before.  The fltk toolkit prints only
%% figures that are visible.  gnuplot writes the letters of PDF files at half their size;
%% @code{print (gcf, 'a.pdf', '-dpdfcairo', '-F:16')} makes them legible.
%%
%% The output is a struct with handles: @code{axes}, @code{cells} (a surface, or an image which
%% with gnuplot has several pixels for each cell, so that viewers of SVG files keep them sharp),
%% @code{colorbar}, @code{title}, @code{xlabel}, @code{ylabel}, @code{rowLabels},
%% @code{columnLabels} and @code{values}.
%%
%% Errors: @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}.
%%
%% @example
%% @group
%% Q = [1 0; 0 1; 1 1];  K = [1 0; 0 1; 0.9 0.1];
%% [Y, W] = attention (Q, K, eye (3));
%% attention_heatmap (W, @{'first', 'second', 'third'@})
%% @end group
%% @end example
%% @seealso{attention_row, attention_heads, attention_lines, attention_compare}
%% @end deftypefn

function handles = attention_heatmap (A, varargin)
  if nargin < 1
    print_usage ();
  end
  [tokens, args] = plot_arguments (varargin);
  defaults = struct ('Title', '', 'XLabel', 'looked at (key)', 'YLabel', 'looks (query)', ...
                     'Limits', [], 'Colormap', [], 'Colorbar', true, 'Labels', 'auto', ...
                     'Values', 'auto', 'KeyTokens', {{}}, 'FontSize', [], 'Parent', []);
  options = plot_options ('attention_heatmap', defaults, args);
  plot_weights ('attention_heatmap', A, 'A', 2);
  [options.rows, options.columns] = plot_both_tokens ('attention_heatmap', A, tokens, ...
                                                      options.KeyTokens);
  limits = plot_limits (options.Limits, A);
  map = plot_colormap (options.Colormap, limits);

  [ax, restore] = plot_axes (options.Parent);
  h.axes = ax;
  h.cells = plot_cells (ax, [1, size(A, 2)], [1, size(A, 1)], double (A));
  set (ax, 'XLim', [0.5, size(A, 2) + 0.5], 'YLim', [0.5, size(A, 1) + 0.5], ...
       'YDir', 'reverse', 'XTick', [], 'YTick', [], 'Box', 'on', 'Layer', 'top', ...
       'CLim', limits, 'Colormap', map);
  frame = plot_frame (ax, options);
  h.values = plot_values (ax, A, map, limits, options.Values, frame);
  for name = {'colorbar', 'title', 'xlabel', 'ylabel', 'rowLabels', 'columnLabels'}
    h.(name{1}) = frame.(name{1});
  end
  if nargout > 0
    handles = h;
  end
end

%!test
%! fig = figure ('visible', 'off');
%! unwind_protect
%!   A = [1, 0; 0.25, 0.75];
%!   h = attention_heatmap (A, {'a', ' b'}, 'Title', 'one head');
%!   assert (get (h.axes, 'clim'), [0, 1]);
%!   assert (drawn_cells (h.cells, 2, 2), A);
%!   assert (get (h.rowLabels(2), 'string'), 'b');
%!   assert (numel (h.values), 3);
%! unwind_protect_cleanup
%!   delete (fig);
%! end_unwind_protect
%!error <must have 2 tokens> attention_heatmap (eye (2), {'a'})
%!error <choose one page> attention_heatmap (ones (2, 2, 2))
