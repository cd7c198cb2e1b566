% Runs the tests of one file; called by tests/run from the top folder as
%   octave-cli tests/run_octave.m FILE LOG RESULT
% LOG receives what test () reports, RESULT one line `passed failed skipped`.
% On the path: scripts, tests/octave and its support/, and the folder of a private function.

crash_dumps_octave_core (false);
sigterm_dumps_octave_core (false);

args = argv ();
top = pwd ();
file = fullfile (top, args{1});
addpath (fullfile (top, 'tests', 'octave'), fullfile (top, 'tests', 'octave', 'support'));
addpath (fullfile (top, 'scripts'));
if (any (strfind (args{1}, [filesep, 'private', filesep])))
  addpath (fileparts (file));
end

[n, nmax, nxfail, nbug, nskip, nrtskip] = test (file, 'quiet', args{2});
failed = nmax - n - nxfail - nbug;
skipped = nxfail + nbug + nskip + nrtskip;
if (failed == 0)
  % A %!shared or %!function block that does not compile is reported, but not counted.
  if (any (regexp (fileread (args{2}), '^!!!!!', 'lineanchors')))
    failed = 1;
  elseif (nmax + nskip + nrtskip == 0)
    printf ('no test was run\n');
    failed = 1;
  end
end

fid = fopen (args{3}, 'w');
fprintf (fid, '%d %d %d\n', n, failed, skipped);
fclose (fid);
exit (double (failed > 0));
