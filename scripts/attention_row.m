%% -*- texinfo -*-
%% @deftypefn  {} {} attention_row (@var{A}, @var{tokens}, @var{token})
%% @deftypefnx {} {} attention_row (@dots{}, @var{name}, @var{value}, @dots{})
%% @deftypefnx {} {@var{weights} =} attention_row (@dots{})
%% @deftypefnx {} {[@var{weights}, @var{h}] =} attention_row (@dots{})
%% Show where one token looks: a line of text and a bar chart.
%%
%% @var{A} is the matrix of weights, @var{tokens} the cell array with the text of its rows and
%% columns (or @code{[]}), and @var{token} the one that looks: its text, with or without
%% leading space, or its position.  A text that is there several times needs the option
%% @qcode{'Occurrence'}.
%%
%% Without output the tokens with a weight of at least 0.03 are printed in one line and the row
%% is drawn as bars:
%%
%% @example
%% @group
%% attention_row (A, tokens, 'it', 'Title', 'layer 5, head 4')
%%     @print{} layer 5, head 4, from 'it':  The 0.08  animal 0.85
%% @end group
%% @end example
%%
%% @var{weights} is the row of @var{A}; with it nothing is printed, and bars are drawn only
%% when @var{h} or the option @qcode{'Parent'} asks for them.  @var{h} is a struct of handles:
%% @code{axes}, @code{bars}, @code{values}, @code{title}, @code{xlabel}, @code{ylabel},
%% @code{columnLabels}.
%%
%% Options, as @var{name}, @var{value} pairs:
%%
%% @table @asis
%% @item @qcode{'Threshold'}
%% Smallest weight that is printed, and written above its bar where there is room; 0.03.
%% @item @qcode{'Occurrence'}
%% @qcode{'first'}, @qcode{'last'}, or 1, 2, @dots{} of the tokens with that text.
%% @item @qcode{'Print'}, @qcode{'Draw'}
%% @qcode{'on'} or @qcode{'off'}, to choose otherwise than by the outputs.
%% @item @qcode{'KeyTokens'}
%% Tokens of the columns, where @var{tokens} are those of the rows.
%% @item @qcode{'Title'}, @qcode{'XLabel'}, @qcode{'YLabel'}, @qcode{'Labels'}
%% @itemx @qcode{'Values'}, @qcode{'FontSize'}, @qcode{'Parent'}
%% As for @code{attention_heatmap}.  The title is also the beginning of the printed line.
%% @item @qcode{'Limits'}
%% Ends of the vertical axis; by default from 0 to the largest weight, rounded up.
%% @end table
%%
%% Errors: @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}, @code{attention:out-of-range}.
%% @seealso{attention_heatmap, attention_compare}
%% @end deftypefn

function [weights, handles] = attention_row (A, tokens, token, varargin)
  if nargin < 3
    print_usage ();
  end
  fname = 'attention_row';
  defaults = struct ('Title', '', 'XLabel', 'looked at (key)', 'YLabel', 'weight', ...
                     'Limits', [], 'Labels', 'auto', 'Values', 'auto', 'Threshold', 0.03, ...
                     'Occurrence', [], 'Print', nargout == 0, 'Draw', [], ...
                     'KeyTokens', {{}}, 'FontSize', [], 'Parent', []);
  options = plot_options (fname, defaults, varargin);
  plot_weights (fname, A, 'A', 2);
  row = plot_find_token (fname, tokens, size (A, 1), token, options.Occurrence);
  rows = plot_tokens (fname, tokens, size (A, 1), 'tokens');
  if isempty (options.KeyTokens)
    options.KeyTokens = tokens;
  end
  columns = plot_tokens (fname, options.KeyTokens, size (A, 2), 'tokens (columns)');
  w = double (A(row, :));
  from = sprintf ('from ''%s''', rows{row});

  if options.Print
    fprintf ('%s\n', printed (options.Title, from, columns, w, options.Threshold));
  end
  if isempty (options.Draw)
    options.Draw = nargout ~= 1 || ~ isempty (options.Parent);
  end
  handles = [];
  if options.Draw
    if isempty (options.Title)
      options.Title = from;
    else
      options.Title = [strjoin(plot_wrap (options.Title, Inf), ' '), ', ', from];
    end
    handles = bars (w, columns, options);
  end
  if nargout > 0
    weights = w;
  end
end

%% The tokens with enough weight and their weights, in one line.
function line = printed (name, from, columns, w, threshold)
  at = find (w >= threshold);
  words = arrayfun (@(k) sprintf ('%s %.2f', columns{k}, w(k)), at, 'UniformOutput', false);
  line = sprintf ('%s:  %s', from, strjoin (words, '  '));
  if ~ isempty (name)
    line = [plot_visible(strjoin (plot_wrap (name, Inf), ' '), 'text'), ', ', line];
  end
end

function h = bars (w, columns, options)
  n = numel (w);
  limits = plot_limits (options.Limits, w);
  shown = [];
  if ~ isequal (options.Values, false)
    shown = find (abs (w) >= options.Threshold & w ~= 0);
  end
  [ax, restore] = plot_axes (options.Parent);
  h.axes = ax;
  if isempty (options.Limits) && ~ isempty (shown)
    room = plot_bar_room (ax, shown, n, options.FontSize);
    limits = [min(limits(1), min (w) / (1 - room)), max(limits(2), max (w) / (1 - room))];
  end
  set (ax, 'XLim', [0.3, n + 0.7], 'YLim', limits, 'XTick', [], 'Box', 'on', 'Layer', 'top');
  h.bars = plot_bars (ax, 1:n, w, 0.8, [0.19, 0.49, 0.74]);
  options.rows = {};
  options.columns = columns;
  options.Colorbar = false;
  frame = plot_frame (ax, options);
  h.values = [];
  if ~ isempty (shown)
    h.values = plot_bar_values (ax, shown, w(shown), frame, limits, options.Values);
  end
  for name = {'title', 'xlabel', 'ylabel', 'columnLabels'}
    h.(name{1}) = frame.(name{1});
  end
end

%!test
%! A = [1, 0; 0.145, 0.855];
%! line = evalc ("attention_row (A, {'The', ' it'}, 'it', 'Draw', 'off');");
%! assert (line, ["from 'it':  The 0.14  it 0.85" "\n"]);
%! assert (attention_row (A, {'The', ' it'}, 2), A(2, :));
%!error <'cat' is not among the tokens: a b> attention_row (eye (2), {'a', 'b'}, 'cat')
%!error <positions 1, 2> attention_row (eye (2), {'a', ' a'}, 'a ')
