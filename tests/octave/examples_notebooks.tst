% The labs and their solutions as notebooks, run with the Octave kernel.  `make notebooks` brings
% what makes and runs them; where pip cannot, this is skipped.

%!function program = python_of_notebooks ()
%! build = getenv ('BUILD');
%! if (isempty (build))
%!   build = 'build';
%! end
%! program = fullfile (pwd (), build, 'venv', 'bin', 'python');
%!endfunction

%!function can = can_run ()
%! can = exist (python_of_notebooks (), 'file') == 2 ...
%!       && system (['"' python_of_notebooks() '" -c "import jupytext, nbclient, octave_kernel"' ...
%!                   ' 2>/dev/null']) == 0;
%!endfunction

% [status, text] = run (names): the notebooks NAMES, with one thread as lab 4 wants it.
%!function [status, text] = run (names)
%! kept = {'OCTAVE_PATH', 'OMP_NUM_THREADS'; getenv('OCTAVE_PATH'), getenv('OMP_NUM_THREADS')};
%! setenv ('OCTAVE_PATH', fullfile (pwd (), 'scripts'));
%! setenv ('OMP_NUM_THREADS', '1');
%! program = fullfile (pwd (), 'tests', 'octave', 'support', 'run_notebooks.py');
%! [status, text] = system (sprintf ('"%s" "%s"%s 2>&1', python_of_notebooks (), program, ...
%!                                   sprintf (' "%s"', names{:})));
%! for n = 1:2
%!   setenv (kept{:,n});
%! end
%!endfunction

%!testif ; can_run ()
%! folder = tempname ();
%! script = fullfile (pwd (), 'examples', 'labs', 'make_notebooks');
%! [status, text] = system (sprintf ('"%s" "%s" "%s" 2>&1', python_of_notebooks (), script, ...
%!                                   folder));
%! assert (status, 0, text);
%! names = [glob(fullfile (folder, '*.ipynb')); glob(fullfile (folder, 'solutions', '*.ipynb'))];
%! assert (numel (names), 10);
%! [status, text] = run (names);
%! assert (status, 0, text);
%! assert (numel (regexp (text, '\d pictures, good\n')), 10, text);
%! for name = {'lab3_solution', 'lab4_solution', 'lab5_solution'}
%!   assert (numbers_in (text, [name{1} ': (\d+) pictures']) >= 1);
%! end
%! confirm_recursive_rmdir (false, 'local');
%! rmdir (folder, 's');
