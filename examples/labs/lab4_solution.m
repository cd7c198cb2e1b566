% Lab 4, a solution: what attention costs, and how close to the machine's limits it runs.

here = fileparts (mfilename ('fullpath'));
addpath (fullfile (here, '..'), fullfile (here, '..', '..', 'scripts'));
1;

function seconds = best_time (f)
  % The fastest of some repeats: other work on the machine only ever makes it slower.
  f ();
  seconds = Inf;
  for k = 1:5
    tic;
    f ();
    seconds = min (seconds, toc);
  end
end

function [Q, K, V] = numbers (N, d)
  Q = single (rand (N, d) - 0.5);
  K = single (rand (N, d) - 0.5);
  V = single (rand (N, d) - 0.5);
end

state = rand ('twister');
rand ('twister', 1);

% 1. Time against N and d.
sizes = [512 1024 2048 4096];
time_N = zeros (size (sizes));
for k = 1:numel (sizes)
  [Q, K, V] = numbers (sizes(k), 64);
  time_N(k) = best_time (@() attention (Q, K, V));
end
exponent_N = polyfit (log (sizes), log (time_N), 1)(1);
printf ('time grows like N^%.2f (2 expected)\n', exponent_N);
widths = [16 32 64 128];
time_d = zeros (size (widths));
for k = 1:numel (widths)
  [Q, K, V] = numbers (1024, widths(k));
  time_d(k) = best_time (@() attention (Q, K, V));
end
exponent_d = polyfit (log (widths), log (time_d), 1)(1);
printf (['and like d^%.2f (1 at most): for small d the exponentials, one for each pair of ' ...
         'tokens, count too\n'], exponent_d);

% 2. The limits.
n = 1500;
A = single (rand (n));
B = single (rand (n));
peak = 2 * n^3 / best_time (@() A * B);
x = zeros (1, 3e7, 'single');
bandwidth = 4 * numel (x) / best_time (@() sum (x));
printf ('peak %.0f GFLOP/s, memory %.1f GB/s\n', peak / 1e9, bandwidth / 1e9);

% 3. Operations per byte.
N = 4096;
d = 64;
intensity.attention = 4 * N^2 * d / (4 * 4 * N * d);
intensity.product = 2 * n^3 / (3 * 4 * n^2);
intensity.vector = 2 * n^2 / (4 * n^2);
speed.attention = 4 * N^2 * d / time_N(end);
printf ('operations per byte: attention %.0f, A*B %.0f, A*x %.1f\n', intensity.attention, ...
        intensity.product, intensity.vector);
printf ('attention runs at %.0f GFLOP/s, %.0f %% of the peak\n', speed.attention / 1e9, ...
        100 * speed.attention / peak);
assert (intensity.attention, N / 4);

% 4. The ridge of the roofline is at peak/bandwidth; attention lies far to the right of it.
ridge = peak / bandwidth;
printf ('from %.0f operations per byte on arithmetic is the limit, so it limits attention\n', ...
        ridge);
assert (intensity.attention > ridge);
plain = 4 * N^2 * d / (6 * 4 * N^2);
printf ('the plain formula moves the N-by-N matrix about six times: %.0f operations per byte\n', ...
        plain);
rand ('twister', state);

fig = new_picture (800, 560);
at = logspace (-1, 4, 100);
roof = @(intensity) min (peak, intensity * bandwidth) / 1e9;
lines = loglog (at, roof (at), '-', intensity.attention, speed.attention / 1e9, 'o', ...
                [plain plain], roof (plain) * [0.01 1], '--');
set (lines, 'linewidth', 2);
xlabel ('operations per byte');
ylabel ('GFLOP/s');
title ('Roofline of this machine');
legend ('attainable', 'attention, measured', 'plain formula: at most', 'location', 'southeast');
grid on
save_picture (fig, 'lab4_roofline.png');
