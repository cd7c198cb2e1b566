% Lab 2, a solution: softmax in one pass, and attention by blocks of keys.

addpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'scripts'));

% 1. One loop.
s = [3 1 4 1 5 9 2 6];
m = -Inf;
z = 0;
for j = 1:numel (s)
  larger = max (m, s(j));
  z = z * exp (m - larger) + exp (s(j) - larger);
  m = larger;
end
printf ('one pass: m = %g, z = %.15g;  three passes: m = %g, z = %.15g\n', m, z, max (s), ...
        sum (exp (s - max (s))));
assert ([m z], [max(s) sum(exp(s - max (s)))], 4 * eps (z));

% 2. and 3. All queries at once, block after block of keys.  What was summed up under the old
%    maximum is multiplied by exp (m - larger), the values as well as the sum.
function Y = blocked_attention (Q, K, V, block)
  scale = 1 / sqrt (columns (Q));
  m = -Inf (rows (Q), 1);
  z = zeros (rows (Q), 1);
  Y = zeros (rows (Q), columns (V));
  for first = 1:block:rows (K)
    part = first:min (first + block - 1, rows (K));
    S = scale * Q * K(part,:)';
    larger = max (m, max (S, [], 2));
    P = exp (S - larger);
    factor = exp (m - larger);
    z = z .* factor + sum (P, 2);
    Y = Y .* factor + P * V(part,:);
    m = larger;
  end
  Y = Y ./ z;
end

state = randn ('state');
randn ('state', 1);
Q = randn (50, 16);
K = randn (200, 16);
V = randn (200, 8);
randn ('state', state);
for block = [1 7 64 200]
  difference = max (max (abs (blocked_attention (Q, K, V, block) - attention (Q, K, V))));
  printf ('blocks of %3d keys: largest difference from attention %.1e\n', block, difference);
  assert (difference < 1e-14);
end

% 4. Per query the blocked version keeps m, z, a row of Y and a block of scores: memory grows like
%    N. The plain formula keeps all N^2 scores.
block = 64;
for N = [1000 10000 100000]
  printf ('N = %6d: blocked %8.1f MB, plain %10.1f MB\n', N, 8e-6 * N * (2 + 64 + block), ...
          8e-6 * N^2);
end
