function output = run_example (name)
% What examples/NAME.m prints in an Octave of its own, started in an empty folder without a screen
% and with nothing on the path.  With a cell of names all run in one session.  What fails: an error,
% a warning other than that of the bundled model, a file left in that folder, and a variable left
% that has the name of a function.

  top = fileparts (fileparts (fileparts (fileparts (mfilename ('fullpath')))));
  program = getenv ('OCTAVE');
  if (isempty (program))
    program = 'octave-cli';
  end
  folder = tempname ();
  mkdir (folder);
  guard = onCleanup (@() remove_folder (folder));
  name = cellstr (name);
  files = cellfun (@(n) fullfile (top, 'examples', [n '.m']), name, 'UniformOutput', false);
  here = fileparts (mfilename ('fullpath'));
  code = sprintf ('source (''%s''); ', files{:});
  code = sprintf (['warning (''off'', ''attention:bundled-model''); %saddpath (''%s''); ' ...
                   'assert_no_function_names (who ());'], code, here);
  command = 'cd "%s" && env -u DISPLAY %s -q --norc --no-history --eval "%s" 2>&1';
  [status, output] = system (sprintf (command, folder, program, code));
  % Octave 7 says this at exit after success, too.
  output = strrep (output, ['error: ignoring const execution_exception& while preparing to ' ...
                            'exit'], '');
  if (status ~= 0 || any (regexp (output, '(^|\n)(warning|error):')))
    error ('%s ended with code %d:\n%s', strjoin (name, ', '), status, output);
  end
  assert (numel (dir (folder)), 2);            % . and ..
end
