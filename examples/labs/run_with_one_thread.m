% done = run_with_one_thread (script): whether SCRIPT was run in another Octave, because this one
% was started to use more than one thread.  Numeric libraries read OMP_NUM_THREADS when they are
% loaded, so it has to be set before Octave starts.  Helper of lab 4.

function done = run_with_one_thread (script)
  done = false;
  before = getenv ('OMP_NUM_THREADS');
  if (strcmp (before, '1'))
    return;
  end
  if (isempty (script))
    error ('lab4: start Octave (or the notebook server) with OMP_NUM_THREADS=1 in its environment');
  end
  program = fullfile (OCTAVE_EXEC_HOME (), 'bin', 'octave-cli');
  setenv ('OMP_NUM_THREADS', '1');
  restore = onCleanup (@() restore_threads (before));
  code = sprintf ('addpath (''%s''); source (''%s.m'');', path (), script);
  status = system (sprintf ('"%s" -q --norc --no-history --eval "%s"', program, code));
  if (status ~= 0)
    error ('lab4: %s ended with code %d', script, status);
  end
  done = true;
end

function restore_threads (before)
  if (isempty (before))
    unsetenv ('OMP_NUM_THREADS');
  else
    setenv ('OMP_NUM_THREADS', before);
  end
end
