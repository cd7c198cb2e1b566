% What attention costs: every token is compared with every other, so twice the tokens are four
% times the work.  The memory need not grow like that: only a stored N-by-N matrix W does.
% Measures, fits a slope on a log-log plot, and saves the picture.
% Run it from anywhere:  octave-cli examples/cost_quadratic.m

1;   % this file is a script
here = fileparts (mfilename ('fullpath'));
before = addpath (fullfile (here, '..', 'scripts'));

N = [500, 1000, 2000, 4000, 8000];
d = 64;
seconds = Inf (size (N));
for repeat = 1:7                             % the fastest of several: least disturbed by others
  for n = 1:numel (N)
    x = single (cos ((1:N(n))' * (1:d)));
    timer = tic ();
    attention (x, x, x);
    seconds(n) = min (seconds(n), toc (timer));
  end
end

vectors = 4 * N * d * 4;                     % Q, K, V and Y in single: bytes
weights = N .^ 2 * 4;                        % W in single, if it is asked for: bytes
printf ('  tokens   comparisons        time   vectors in memory   W, if asked for\n');
for n = 1:numel (N)
  printf ('  %6d %13.0f   %7.2f ms %15.1f MB %15.1f MB\n', N(n), N(n)^2, 1000 * seconds(n), ...
          vectors(n) / 1e6, weights(n) / 1e6);
end

fit = polyfit (log (N), log (seconds), 1);
printf ('\nSlope on the log-log plot: %.2f (2 is quadratic).\n', fit(1));
printf ('From %d to %d tokens: %.1f times the time, %.0f times the comparisons,\n', N(end-1), ...
        N(end), seconds(end) / seconds(end-1), (N(end) / N(end-1))^2);
printf ('but only twice the memory, as long as W is not asked for.\n');

% ---- picture ----

toolkit = graphics_toolkit ();
warnings = warning ();
warning ('off', 'Octave:gnuplot-graphics');
warning ('off', 'print:nogs');
if (any (strcmp (available_graphics_toolkits (), 'gnuplot')))
  graphics_toolkit ('gnuplot');              % draws without a screen
end
f = figure ('visible', 'off', 'paperunits', 'inches', 'paperposition', [0, 0, 8, 6]);
loglog (N, 1000 * seconds, 'o', 'markersize', 5, 'markerfacecolor', [0, 0.3, 0.7], ...
        N, 1000 * exp (polyval (fit, log (N))), '-', 'linewidth', 2);
labels = arrayfun (@(n) sprintf ('%d', n), N, 'UniformOutput', false);
set (gca (), 'xtick', N, 'xticklabel', labels, 'xlim', [400, 10000], 'fontsize', 12);
grid ('on');
xlabel ('tokens');
ylabel ('time of one call (ms)');
title (sprintf ('Attention, %d columns: slope %.2f', d, fit(1)));
legend ({'measured', 'fitted line'}, 'location', 'northwest');

output = fullfile (here, 'output');
if (~ exist (output, 'dir'))
  mkdir (output);
end
file = fullfile (output, 'cost_quadratic.png');
if (strcmp (graphics_toolkit (), 'gnuplot'))
  print (f, file, '-dpngcairo', '-r100');
else
  print (f, file, '-dpng', '-r100');
end
close (f);
graphics_toolkit (toolkit);
warning (warnings);
path (before);
printf ('Picture: %s\n', file);
