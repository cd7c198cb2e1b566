function [status, output] = run_octave_code (code)
% Runs CODE in another Octave with the package's functions on the path.

  program = getenv ('OCTAVE');
  if (isempty (program))
    program = 'octave-cli';
  end
  scripts = fileparts (which ('gpt2_attn'));
  command = sprintf ('%s -q --norc --no-history --path ''%s'' --eval ''%s'' 2>&1', program, ...
                     scripts, strrep (code, '''', '''\'''''));
  [status, output] = system (command);
end
