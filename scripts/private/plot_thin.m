%% labels = plot_thin (texts, pitch, fonts, point, all_of_them)
%%
%% Which of N labels to draw, and how large, when they stand PITCH pixels apart: all in the
%% first font size in which they fit, else every 2nd, 3rd, ... in the smallest, then with
%% their position before the text, as the neighbours are not there to count by.
%%
%% texts        N-by-1 cell array
%% pitch        pixels from one label to the next
%% fonts        font sizes in points, largest first
%% point        pixels for a point
%% all_of_them  true: all labels, however small the room
%% labels       struct: at (positions), text (cell array), font, step, width (pixels of the
%%              widest) and pitch (pixels from one drawn label to the next)

function labels = plot_thin (texts, pitch, fonts, point, all_of_them)
  longest = 16;
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
  texts = cellfun (@(t) shortened (plot_drawable (t), longest), texts(at), ...
                   'UniformOutput', false);
  if step > 1
    number = arrayfun (@(k) sprintf ('%d', k), at, 'UniformOutput', false);
    if ~ isequal (number, texts)
      texts = cellfun (@(n, t) [n, ' ', t], number, texts, 'UniformOutput', false);
    end
  end
  columns = max (cellfun (@plot_columns, texts));
  labels = struct ('at', at, 'text', {texts}, 'font', font, 'step', step, ...
                   'width', plot_width (columns, font, point), 'pitch', pitch * step);
end

%% At most LONGEST characters; an ellipsis stands for the rest.
function text = shortened (text, longest)
  starts = find (double (text) < 128 | double (text) >= 192);
  if numel (starts) > longest
    text = [text(1:starts(longest) - 1), char([226, 128, 166])];
  end
end

%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 20, [10, 7], 1, false);
%! assert ({labels.at', labels.font, labels.step, labels.text'}, {1:3, 10, 1, {'a', 'b', 'c'}});
%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 9, [10, 7], 1, false);
%! assert ({labels.font, labels.step}, {7, 1});
%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 5, [10, 7], 1, false);
%! assert ({labels.at', labels.font, labels.pitch, labels.text'}, {[1, 3], 7, 10, {'1 a', '3 c'}});
%!test
%! labels = plot_thin ({'1'; '2'; '3'}, 5, [10, 7], 1, false);
%! assert (labels.text', {'1', '3'});
%!test
%! labels = plot_thin ({'a'; 'b'; 'c'}, 5, [10, 7], 1, true);
%! assert (labels.at', 1:3);
%!test
%! labels = plot_thin ({repmat('x', 1, 17)}, 50, 10, 1, false);
%! assert (labels.text{1}, [repmat('x', 1, 15), char([226, 128, 166])]);
