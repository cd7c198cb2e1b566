% lab_check (NUMBER) tells what holds of your functions of lab NUMBER, and what does not.
% lab_check (NUMBER, FOLDER) looks into FOLDER instead of the current folder.
% FAILURES = lab_check (...) also returns how many checks failed.
%
%     lab_check (1)
%     lab_check (1, 'solutions')

function failures = lab_check (number, folder)
  labs = 5;
  if (nargin < 1 || ~ (isnumeric (number) && isscalar (number) && any (number == 1:labs)))
    error ('lab_check: the number of a lab from 1 to %d is needed', labs);
  end
  if (nargin < 2)
    folder = pwd ();
  elseif (~ isfolder (folder))
    error ('lab_check: there is no folder ''%s''', folder);
  end
  before = {cd(folder), path()};
  back = onCleanup (@() go_back (before));
  here = fileparts (mfilename ('fullpath'));
  addpath (fullfile (here, 'checks'));
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', 'scripts'));
  end

  rows = feval (sprintf ('check_lab%d', number));
  failed = 0;
  printf ('Lab %d, functions in %s:\n', number, pwd ());
  for n = 1:size (rows, 1)
    fault = fault_of (rows{n,2}, rows{n,3});
    failed = failed + ~ isempty (fault);
    if (isempty (fault))
      printf ('  holds           %s\n', rows{n,1});
    else
      printf ('  does not hold   %s\n                  %s\n', rows{n,1}, fault);
    end
  end
  printf ('%d of %d hold.\n', size (rows, 1) - failed, size (rows, 1));
  if (nargout > 0)
    failures = failed;
  end
end

% fault_of (name, check) -- what is wrong; empty when CHECK, which calls the function NAME of the
% current folder, does not raise.

function fault = fault_of (name, check)
  fault = '';
  if (exist (fullfile (pwd (), [name '.m']), 'file') ~= 2)
    fault = sprintf ('there is no %s.m in this folder', name);
    return;
  end
  try
    check ();
  catch err
    fault = strrep (err.message, sprintf ('\n'), ' ');
  end
end

function go_back (before)
  cd (before{1});
  path (before{2});
end
