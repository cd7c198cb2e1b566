% Lab 5, a solution: how much of the weight matrix is needed?

here = fileparts (mfilename ('fullpath'));
addpath (fullfile (here, '..'), fullfile (here, '..', '..', 'scripts'));
state = randn ('state');
randn ('state', 1);
N = 200;
d = 8;
Q = randn (N, d);
K = randn (N, d);
randn ('state', state);

% 1. The singular values fall quickly.
[~, W] = attention (Q, K, eye (N));
[U, S, X] = svd (W);
s = diag (S);
many = sum (s > 0.01 * s(1));
printf ('%d of %d singular values are above 1 %% of the largest\n', many, N);
assert (many < N / 2);

% 2. Eckart and Young: the error of the best approximation of rank r is singular value r + 1.
ranks = [1 2 5 10 20 50 100];
errors = zeros (size (ranks));
for k = 1:numel (ranks)
  r = ranks(k);
  W_r = U(:,1:r) * S(1:r,1:r) * X(:,1:r)';
  errors(k) = norm (W - W_r);
  printf ('rank %3d: error %.2e, singular value %3d: %.2e\n', r, errors(k), r + 1, s(r+1));
  assert (errors(k), s(r+1), 1e-13);
end

% 3. A sharper softmax looks at single tokens, and rows that look at different tokens are
%    independent: the rank grows.  A causal mask makes W triangular with a positive diagonal: the
%    rank is full, though the small singular values stay small.
[~, W_sharp] = attention (4 * Q, K, eye (N));
s_sharp = svd (W_sharp);
many_sharp = sum (s_sharp > 0.01 * s_sharp(1));
[~, W_causal] = attention (Q, K, eye (N), 'causal');
s_causal = svd (W_causal);
printf ('above 1 %%: plain %d, queries times 4: %d, causal %d\n', many, many_sharp, ...
        sum (s_causal > 0.01 * s_causal(1)));
assert (many_sharp > many);
assert (all (diag (W_causal) > 0));

% 4. With thin factors A (N-by-r) and B (r-by-N), A * (B * V) costs 4*N*r*dv operations.
dv = 64;
printf ('W*V: %d operations; rank r: %d*r, which pays below r = %d\n', 2 * N^2 * dv, ...
        4 * N * dv, N / 2);
printf ('the SVD itself takes a multiple of N^3 operations, far more than W*V\n');

fig = new_picture (800, 560);
lines = semilogy (1:N, s / s(1), '-', 1:N, s_sharp / s_sharp(1), '--', ...
                  1:N, s_causal / s_causal(1), ':');
set (lines, 'linewidth', 2);
xlabel ('number of the singular value');
ylabel ('singular value / largest');
ylim ([1e-6 1]);
legend ('plain', 'queries times 4', 'causal', 'location', 'northeast');
title (sprintf ('Singular values of W, %d tokens of %d numbers', N, d));
grid on
save_picture (fig, 'lab5_singular_values.png');
