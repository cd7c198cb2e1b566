%% labels = plot_thin (texts, pitch, fonts, point, all_of_them, room)
%%
%% Which of N labels to draw, and how large, when they stand PITCH pixels apart: all in the
%% first font size in which they fit, else every 2nd, 3rd, ... in the smallest, then with
%% their position before the text, as the neighbours are not there to count by.
%%
%% texts        N-by-1 cell array
%% pitch        pixels from one label to the next
%% fonts        font sizes in points, largest first
%% point        pixels for a point
%% all_of_them  true: all labels, however small the pitch
%% room         pixels that a label may be long; longer ones end in an ellipsis, as do those of
%%              more than 16 columns
%% labels       struct: at (positions), text (cell array), font, step, width (pixels of the
%%              widest) and pitch (pixels from one drawn label to the next)

function labels = plot_thin (texts, pitch, fonts, point, all_of_them, room)
  line = 1.2 * point;
  font = fonts(find (fonts * line <= pitch, 1));
  step = 1;
  if isempty (font)
    font = fonts(end);
    if ~ all_of_them
      steps = [2, 3, 4, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
      step = steps(find (steps * pitch >= font * line, 1));
      if isempty (step)
        step = numel (texts);
      end
    end
  end
  at = (1:step:numel (texts))';
  number = arrayfun (@(k) sprintf ('%d', k), at, 'UniformOutput', false);
  numbered = step > 1 && ~ isequal (number, texts(at));
  longest = floor (room / plot_width (1, font, point)) - numbered * (numel (number{end}) + 1);
  longest = max (min (longest, 16), 3);
  texts = cellfun (@(t) shortened (plot_drawable (t), longest), texts(at), ...
                   'UniformOutput', false);
  if numbered
    texts = cellfun (@(n, t) [n, ' ', t], number, texts, 'UniformOutput', false);
  end
  columns = max (cellfun (@plot_columns, texts));
  labels = struct ('at', at, 'text', {texts}, 'font', font, 'step', step, ...
                   'width', plot_width (columns, font, point), 'pitch', pitch * step);
end

%% At most LONGEST columns; an ellipsis stands for the rest.
function text = shortened (text, longest)
  if plot_columns (text) <= longest
    return;
  end
  starts = find (double (text) < 128 | double (text) >= 192);
  wide = arrayfun (@(at) plot_columns (text(at)), starts);
  kept = find (cumsum (wide) <= longest - 1, 1, 'last');
  text = [text(1:starts(kept + 1) - 1), char([226, 128, 166])];
end

%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 20, [10, 7], 1, false, Inf);
%! assert ({labels.at', labels.font, labels.step, labels.text'}, {1:3, 10, 1, {'a', 'b', 'c'}});
%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 9, [10, 7], 1, false, Inf);
%! assert ({labels.font, labels.step}, {7, 1});
%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 5, [10, 7], 1, false, Inf);
%! assert ({labels.at', labels.font, labels.pitch, labels.text'}, {[1, 3], 7, 10, {'1 a', '3 c'}});
%!test
%! labels = plot_thin ({'1'; '2'; '3'}, 5, [10, 7], 1, false, Inf);
%! assert (labels.text', {'1', '3'});
%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 5, [10, 7], 1, true, Inf);
%! assert (labels.at', 1:3);
%!test
%! labels = plot_thin ({repmat('x', 1, 17)}, 50, 10, 1, false, Inf);
%! assert (labels.text{1}, [repmat('x', 1, 15), char([226, 128, 166])]);
%!test
%! % A character of two columns (as which it or its number is drawn); little room; the position
%! % counts too.
%! wide = plot_drawable (char ([230, 188, 162]));
%! labels = plot_thin ({repmat(wide, 1, 9)}, 50, 10, 1, false, Inf);
%! assert (plot_columns (labels.text{1}) >= 15 && plot_columns (labels.text{1}) <= 16);
%! assert (labels.text{1}(end - 2:end), char ([226, 128, 166]));
%! labels = plot_thin ({'animal'; 'it'}, 20, 10, 1, false, 31);
%! assert (labels.text', {['anim', char([226, 128, 166])], 'it'});
%! assert (labels.width, 30);
%! labels = plot_thin ({'animal'; 'it'; 'street'}, 6, 10, 1, false, 36);
%! assert (labels.text', {['1 ani', char([226, 128, 166])], ['3 str', char([226, 128, 166])]});
