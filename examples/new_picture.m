% fig = new_picture (width, height) opens a hidden figure of so many pixels, for save_picture.
% Where there is no screen gnuplot draws; Octave's advice against it is not repeated here.
% Helper of the examples.

function fig = new_picture (width, height)
  before = warning ('off', 'Octave:gnuplot-graphics');
  fig = figure ('visible', 'off', 'position', [50, 50, width, height]);
  warning (before);
end
