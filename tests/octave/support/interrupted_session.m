function [text, status, seconds] = interrupted_session (lines)
% Types LINES (a cell row) into one interactive Octave that has the package's functions, and presses
% Ctrl-C half a second after each has begun.  A line goes on until it is interrupted, or at least
% beyond that half second.  TEXT is what came on standard output: before a line its number, as
% `begun 1`, and at the end `value=5` from a call of attention.  STATUS is 3 when Octave ended as it
% was then told to, else -1; SECONDS is how long after the last Ctrl-C.

  program = getenv ('OCTAVE');
  if (isempty (program))
    program = 'octave-cli';
  end
  % A process in the background may have been told to ignore Ctrl-C; env undoes that.
  [in, out, pid] = popen2 ('env', {'--default-signal=INT', program, '-q', '--norc', '-i', ...
                                   '--no-history', '--path', fileparts(which ('attention'))});
  text = '';
  for i = 1:numel (lines)
    fprintf (in, 'printf ("beg%%s %%d\\n", "un", %d); fflush (stdout); %s\n', i, lines{i});
    fflush (in);
    begun = tic;
    while (isempty (strfind (text, sprintf ('begun %d', i))) && toc (begun) < 60)
      text = [text, read_some(out)];
    end
    pause (0.5);
    pressed = tic;
    kill (pid, SIG ().INT);
  end
  fputs (in, ['printf ("val%s=%g\n", "ue", attention (1, 1, 5)); exit (3)' "\n"]);
  fclose (in);
  [~, status] = waitpid (pid);
  seconds = toc (pressed);
  fclear (out);
  while (ischar (line = fgets (out)))
    text = [text, line];
  end
  fclose (out);
  if (WIFEXITED (status))
    status = WEXITSTATUS (status);
  else
    status = -1;
  end
end

function text = read_some (out)
  text = fgets (out);
  if (! ischar (text))
    fclear (out);
    pause (0.05);
    text = '';
  end
end
