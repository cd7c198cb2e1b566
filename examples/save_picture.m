% save_picture (fig, name) writes the figure FIG to examples/output/NAME, and shows it where there
% is a display, else closes it.  A third argument names another folder than output.  A figure that
% is closed already is left alone: a notebook shows a figure below its cell and closes it.  Helper
% of the examples.

function save_picture (fig, name, place)
  if (~ isfigure (fig))
    return;
  end
  if (nargin < 3)
    place = 'output';
  end
  folder = fullfile (fileparts (mfilename ('fullpath')), place);
  if (~isfolder (folder))
    mkdir (folder);
  end
  file = fullfile (folder, name);
  before = warning ('off', 'print:nogs');      % a PNG needs no Ghostscript
  restore = onCleanup (@() warning (before));
  if (strcmp (graphics_toolkit (fig), 'gnuplot'))
    print (fig, file, '-dpngcairo', '-r100');
  else
    print (fig, file, '-dpng', '-r100');
  end
  printf ('picture: %s\n', fullfile ('examples', place, name));
  if (have_window_system ())
    set (fig, 'visible', 'on');
  else
    close (fig);
  end
end
