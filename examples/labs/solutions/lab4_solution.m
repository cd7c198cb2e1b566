% %% [markdown]
% # Lab 4, a solution: what attention costs, and how close to the machine's limits it runs

% %%
before = {pwd(), path()};
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  cd (here);                                 % the functions here, not those to be completed
  addpath (fullfile (here, '..'), fullfile (here, '..', '..'));
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', '..', 'scripts'));
  end
end
if (run_with_one_thread (mfilename ('fullpath')))
  cd (before{1});
  path (before{2});
  return;
end
1;

function Q = numbers (N, d)
  Q = single (rand (N, d) - 0.5);
end

function ratio = threads_of (f)
  % Processor time over wall time: how many processors were at work.
  f ();
  start = tic ();
  cpu = cputime ();
  f ();
  ratio = (cputime () - cpu) / toc (start);
end

% %% [markdown]
% 1\. Time against N and d.

% %%
state = rand ('twister');
rand ('twister', 1);
sizes = [512 1024 2048 4096];
time_N = zeros (size (sizes));
for k = 1:numel (sizes)
  [Q, K, V] = deal (numbers (sizes(k), 64), numbers (sizes(k), 64), numbers (sizes(k), 64));
  time_N(k) = best_time (@() attention (Q, K, V), 7);
end
exponent_N = polyfit (log (sizes), log (time_N), 1)(1);
printf ('time grows like N^%.2f (2 expected)\n', exponent_N);
assert (exponent_N, 2, 0.25);
widths = [16 32 64 128];
time_d = zeros (size (widths));
for k = 1:numel (widths)
  width = widths(k);
  [Q, K, V] = deal (numbers (1024, width), numbers (1024, width), numbers (1024, width));
  time_d(k) = best_time (@() attention (Q, K, V), 15);
end
exponent_d = polyfit (log (widths), log (time_d), 1)(1);
printf (['and like d^%.2f (1 at most): for small d the exponentials, one for each pair of ' ...
         'tokens, count too\n'], exponent_d);
assert (exponent_d > 0.3 && exponent_d < 1.1);

% %% [markdown]
% 2\. The peak, two ways, with one thread each, in turns with what is to be compared with it.

% %%
n = 2000;
A = numbers (n, n);
B = numbers (n, n);
N = 4096;
d = 64;
wide = 256;
[Q, K, V] = deal (numbers (N, d), numbers (N, d), numbers (N, d));
[Qw, Kw, Vw] = deal (numbers (n, wide), numbers (n, wide), numbers (n, wide));
rand ('twister', state);
[product, wide_heads, speed] = deal (0);
for turn = 1:5
  product = max (product, 2 * n^3 / best_time (@() A * B, 1));
  wide_heads = max (wide_heads, 4 * n^2 * wide / best_time (@() attention (Qw, Kw, Vw), 3));
  speed = max (speed, 4 * N^2 * d / best_time (@() attention (Q, K, V), 2));
end
peak = max (product, wide_heads);
threads = [threads_of(@() A * B), threads_of(@() attention (Q, K, V))];
printf ('processors at work: A*B %.2f, attention %.2f\n', threads);
assert (all (threads < 1.2));
printf ('peak: A*B %.0f GFLOP/s, attention with d = %d %.0f GFLOP/s\n', product / 1e9, wide, ...
        wide_heads / 1e9);
if (product < 0.7 * peak)
  printf ('The library of A*B does not use all that this processor has.\n');
end

% %% [markdown]
% 3\. The bandwidth.  `ones` writes its memory.  The product of two vectors is read at the speed of
% the caches first; from some size on the speed stays the same, and that is the memory.

% %%
megabytes = [1 32 512 1024];
from_size = zeros (size (megabytes));
for k = 1:numel (megabytes)
  x = ones (megabytes(k) * 2^20 / 8, 1, 'single');
  y = ones (size (x), 'single');
  from_size(k) = 8 * numel (x) / best_time (@() x' * y, 7);
  printf ('%5d MB: %5.1f GB/s\n', megabytes(k), from_size(k) / 1e9);
end
bandwidth = from_size(end);
M = reshape (x, [], 64);
v = ones (64, 1, 'single');
second_way = 4 * numel (M) / best_time (@() M * v, 7);
adding = 4 * numel (x) / best_time (@() sum (x), 2);
printf ('memory: %.1f GB/s, by a matrix times a vector %.1f GB/s; sum gets %.1f GB/s\n', ...
        bandwidth / 1e9, second_way / 1e9, adding / 1e9);
assert (abs (log2 (from_size(end) / from_size(end-1))) < 1);   % no longer falls
assert (abs (log2 (bandwidth / second_way)) < 1);              % both ways agree
clear ('x', 'y', 'M');

% %% [markdown]
% 4\. Operations per byte, and the roofline.

% %%
intensity.attention = 4 * N^2 * d / (4 * 4 * N * d);
intensity.product = 2 * n^3 / (3 * 4 * n^2);
intensity.vector = 2 * n^2 / (4 * n^2);
printf ('operations per byte: attention %.0f, A*B %.0f, A*x %.1f\n', intensity.attention, ...
        intensity.product, intensity.vector);
assert (intensity.attention, N / 4);
share = speed / attainable_speed (intensity.attention, peak, bandwidth);
printf ('attention runs at %.0f GFLOP/s, %.0f %% of what is attainable\n', speed / 1e9, ...
        100 * share);
assert (share <= 1.15);             % more than the roof would be a wrong measurement; noise: 15 %

% %% [markdown]
% 5\. The ridge of the roofline is at peak/bandwidth; attention lies to the right of it, so
% arithmetic limits it.  The plain formula moves an N-by-N matrix ten times, if each operation reads
% its argument from memory and writes its result: Q*K' writes it; the scale, the difference from
% the maximum, exp and the division read and write it; the product with V reads it.  (The maximum
% and the sum read it too, which makes twelve.)

% %%
ridge = peak / bandwidth;
printf (['from %.0f operations per byte on arithmetic is the limit: attention, %.0f, is to the ' ...
         'right\n'], ridge, intensity.attention);
assert (intensity.attention > ridge);
moves = 12;
intensity.plain = 4 * N^2 * d / (moves * 4 * N^2);
roof = attainable_speed (intensity.plain, peak, bandwidth);
if (intensity.plain < ridge)
  limit = 'memory';
else
  limit = 'arithmetic';
end
printf ('the plain formula: %.1f operations per byte, so %s allows it %.0f GFLOP/s\n', ...
        intensity.plain, limit, roof / 1e9);

function Y = plain_formula (Q, K, V)
  S = Q * K' * (1 / sqrt (columns (Q)));
  W = exp (S - max (S, [], 2));
  Y = (W ./ sum (W, 2)) * V;
end
plain_speed = 4 * N^2 * d / best_time (@() plain_formula (Q, K, V), 2);
S = numbers (N, N);
exponentials = best_time (@() exp (S), 2) / (2 * 4 * numel (S) / bandwidth);
printf (['it reaches %.1f: its exponentials alone take %.1f times as long as the memory needs ' ...
         'to read and write their matrix\n'], plain_speed / 1e9, exponentials);
assert (plain_speed < speed);
assert (exponentials > 1);

% %%
fig = new_picture (800, 560);
at = logspace (-1, 4, 100);
curves = loglog (at, attainable_speed (at, peak, bandwidth) / 1e9, '-', ...
                intensity.attention, speed / 1e9, 'o', intensity.plain, plain_speed / 1e9, 's');
set (curves, 'linewidth', 2);
xlabel ('operations per byte');
ylabel ('GFLOP/s');
title ('Roofline of this machine, one thread');
legend ('attainable', 'attention', 'plain formula', 'location', 'southeast');
grid on

% %%
save_picture (fig, 'lab4_roofline.png');
cd (before{1});
path (before{2});
