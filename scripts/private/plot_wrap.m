%% lines = plot_wrap (string, width)
%% lines = plot_wrap (string, width, most)
%%
%% STRING (char row, or cell array of lines) broken at spaces so that no line is wider than
%% WIDTH columns where that is possible; a cell row, empty for empty text.  Of more than MOST
%% lines the last one kept ends in three dots.

function lines = plot_wrap (string, width, most)
  lines = {};
  if isempty (string)
    return;
  elseif iscell (string)
    string = strjoin (string(:)', char (10));
  end
  for paragraph = strsplit (string, char (10))
    line = '';
    for word = strsplit (paragraph{1}, ' ')
      if isempty (line)
        line = word{1};
      elseif plot_columns (line) + 1 + plot_columns (word{1}) <= width
        line = [line, ' ', word{1}];
      else
        lines{end + 1} = line;
        line = word{1};
      end
    end
    lines{end + 1} = line;
  end
  if nargin > 2 && numel (lines) > most
    lines = lines(1:most);
    if isempty (strfind (lines{most}, '...'))
      lines{most} = [lines{most}, ' ...'];
    end
  end
end

%!assert (plot_wrap ('', 10), {})
%!assert (plot_wrap ('one two three', 8), {'one two', 'three'})
%!assert (plot_wrap ('one-long-word b', 4), {'one-long-word', 'b'})
%!assert (plot_wrap (["a b\nc"], Inf), {'a b', 'c'})
%!assert (plot_wrap ({'a', 'b c'}, 2), {'a', 'b', 'c'})
%!assert (plot_wrap ('a b c', 1, 2), {'a', 'b ...'})
%!assert (plot_wrap ('a b', 1, 2), {'a', 'b'})
