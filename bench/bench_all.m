% Runs the benchmarks: every bench/NAME_bench.m is a function
%   result = NAME_bench (quick)
% that prints its table and returns a struct, which is saved as field NAME of bench/results.json.
% Called by `make bench` from the top folder.  Environment: QUICK (not empty: a subset), ONLY (part
% of a section's name), PYTHON, OCTAVE.

addpath (fullfile (pwd (), 'scripts'), fullfile (pwd (), 'bench'));
more off

results = struct ('machine', bench_machine ());
printf ('%s, %d processors, Octave %s\n\n', results.machine.processor, ...
        results.machine.processors, results.machine.octave);
sections = dir (fullfile ('bench', '*_bench.m'));
for i = 1:numel (sections)
  section = sections(i).name(1:end-2);
  if (isempty (getenv ('ONLY')) || any (strfind (section, getenv ('ONLY'))))
    results.(section(1:end-6)) = feval (section, ~isempty (getenv ('QUICK')));
    fid = fopen (fullfile ('bench', 'results.json'), 'w');
    fprintf (fid, '%s\n', jsonencode (results));
    fclose (fid);
  end
end
printf ('written: bench/results.json\n');
