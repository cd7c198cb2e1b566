function attention_memory (N, d, file)
  % attention_memory (N, d, file) -- peak memory and time of one call, in a fresh process.

  Q = rand (N, d, 'single');
  attention (Q(1:2,:), Q(1:2,:), Q(1:2,:));   % loads the code
  before = peak ();
  start = tic ();
  Y = attention (Q, Q, Q);
  result = struct ('N', N, 'd', d, 'seconds', toc (start), 'megabytes', (peak () - before) / 1e3);
  fid = fopen (file, 'w');
  fputs (fid, jsonencode (result));
  fclose (fid);
end

function kilobytes = peak ()
  words = regexp (fileread ('/proc/self/status'), 'VmHWM:\s*(\d+)', 'tokens', 'once');
  kilobytes = str2double (words{1});
end
