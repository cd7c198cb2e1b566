function output = run_example (name)
% What examples/NAME.m prints in an Octave of its own, started in an empty folder without a screen
% and with nothing on the path.  An error, or a warning other than that of the bundled model, fails;
% so does a file left in that folder.

  top = fileparts (fileparts (fileparts (fileparts (mfilename ('fullpath')))));
  program = getenv ('OCTAVE');
  if (isempty (program))
    program = 'octave-cli';
  end
  folder = tempname ();
  mkdir (folder);
  guard = onCleanup (@() remove_folder (folder));
  code = sprintf ('warning (''off'', ''attention:bundled-model''); source (''%s'');', ...
                  fullfile (top, 'examples', [name '.m']));
  command = 'cd "%s" && env -u DISPLAY %s -q --norc --no-history --eval "%s" 2>&1';
  [status, output] = system (sprintf (command, folder, program, code));
  % Octave 7 says this at exit after success, too.
  output = strrep (output, ['error: ignoring const execution_exception& while preparing to ' ...
                            'exit'], '');
  if (status ~= 0 || any (regexp (output, '(^|\n)(warning|error):')))
    error ('%s ended with code %d:\n%s', name, status, output);
  end
  assert (numel (dir (folder)), 2);            % . and ..
end
