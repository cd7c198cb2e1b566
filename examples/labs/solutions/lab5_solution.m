% %% [markdown]
% # Lab 5, a solution: the rank of the weight matrix

% %%
before = {pwd(), path()};
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  cd (here);                                 % the functions here, not those to be completed
  addpath (fullfile (here, '..', '..'));
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', '..', 'scripts'));
  end
end
state = randn ('state');
randn ('state', 1);
N = 200;
d = 8;
Q = randn (N, d);
K = randn (N, d);
Q2 = randn (N, 2);
K2 = randn (N, 2);
randn ('state', state);

% %% [markdown]
% 1\. W has full rank: not one of its singular values is 0.  What is low, if anything, is the number
% of singular values above a tolerance, and that depends on the tolerance.

% %%
[~, W] = attention (Q, K, eye (N));
s = svd (W);
tolerances = [1e-2 1e-3 1e-6];
kept = arrayfun (@(t) numerical_rank (W, t), tolerances);
printf ('rank %d of %d; above 1e-2, 1e-3, 1e-6 of the largest: %d, %d, %d\n', rank (W), N, kept);
assert (rank (W), N);
assert (s(N) > 100 * N * eps * s(1));               % far above rounding
assert (all (diff (kept) > 0) && kept(1) < N / 2 && kept(3) == N);

% %% [markdown]
% 2\. Eckart and Young: the error of the best approximation of rank r is singular value r + 1.

% %%
thin = [1 2 5 10 20 50 100];
for r = thin
  miss = norm (W - low_rank (W, r));
  printf ('rank %3d: error %.2e, singular value %3d: %.2e\n', r, miss, r + 1, s(r+1));
  assert (miss, s(r+1), 1e-13);
end

% %% [markdown]
% 3\. Flatter weights need fewer singular values, sharper ones more.

% %%
[~, W_flat] = attention (Q / 4, K, eye (N));
[~, W_sharp] = attention (Q * 4, K, eye (N));
[s_flat, s_sharp] = deal (svd (W_flat), svd (W_sharp));
kept = [numerical_rank(W_flat, 1e-2), numerical_rank(W, 1e-2), numerical_rank(W_sharp, 1e-2)];
printf ('above 1 %%: queries divided by 4: %d, as they are: %d, times 4: %d\n', kept);
assert (kept(1) < kept(2) && kept(2) < kept(3));
falls = s_flat(1:N-1) ./ s_flat(2:N);
steps = [nchoosek(d + 1, 1), nchoosek(d + 2, 2)];
printf ('steps of the flat one: behind %d it falls to 1/%.1f, behind %d to 1/%.1f\n', ...
        [steps; falls(steps)']);
assert (all (falls(steps) > 1.2 * max (falls(setdiff (5:100, steps)))));

% %% [markdown]
% The flat one falls in steps, the first behind 9 and 45 singular values.  The series of exp
% explains them: up to degree k in d variables it has (k+d)!/(k!*d!) monomials, 1, 9 and 45 for
% d = 8.  So the exponentials of the scores are close to a matrix of that rank, and dividing each
% row by its sum changes no rank.  Where all scores are below a, at most `a^(k+1)/(k+1)! * exp (a)`
% is left out in each element; the singular value behind that rank is at most the Frobenius norm of
% what is left out.

% %%
scores = Q2 * K2' / sqrt (2) / 4;
[~, W_two] = attention (Q2 / 4, K2, eye (N));
s_two = svd (W_two);
a = max (abs (scores(:)));
row_sums = sum (exp (scores), 2);
printf ('d = 2, scores up to %.2f:\n', a);
for k = 1:8
  r = nchoosek (k + 2, 2);
  left_out = sqrt (N) * a^(k+1) / factorial (k + 1) * exp (a) * norm (1 ./ row_sums);
  printf ('  degree %d: rank %2d, singular value %2d: %.1e, at most %.1e\n', k, r, r + 1, ...
          s_two(r+1), left_out);
  assert (s_two(r+1) <= left_out + N * eps * s_two(1));
end

% %% [markdown]
% 4\. Token i sees itself, so the diagonal is positive; the determinant of a triangular matrix is
% the product of its diagonal.  So the rank is full.  But the smallest singular value is at most the
% smallest diagonal element, and that is tiny where a token hardly looks at itself: above 1e-6 of
% the largest there are fewer than N, though all those of W without a mask are.  In the middle the
% causal mask raises the number of singular values.

% %%
[~, W_causal] = attention (Q, K, eye (N), 'causal');
s_causal = svd (W_causal);
printf (['causal: smallest diagonal element %.1e; above 1e-6 of the largest: %d, above 1e-2: ' ...
         '%d\n'], ...
        min (diag (W_causal)), numerical_rank (W_causal, 1e-6), numerical_rank (W_causal, 1e-2));
assert (triu (W_causal, 1), zeros (N));
assert (all (diag (W_causal) > 0));
assert (s_causal(N) <= min (diag (W_causal)) * (1 + 1e-9));
assert (numerical_rank (W_causal, 1e-6) < N);
assert (numerical_rank (W_causal, 1e-2) > kept(2));

% %% [markdown]
% 5\. Heads of a trained model: all are triangular with a positive diagonal.  How many singular
% values they need differs by a factor of two and more; the head with the fewest looks at a few
% tokens whatever the token that looks, so that its rows are alike.

% %%
warned = warning ('off', 'attention:bundled-model');
passage = ['The animal didn''t cross the street because it was too tired. ' ...
           'The dog didn''t chase the cat because it was too slow. '];
A = double (gpt2_attn ([passage passage], ':', ':', 'Model', 'mini'));
warning (warned);
T = size (A, 1);
above = zeros (size (A, 4), size (A, 3));
concentration = above;                       % largest share of all looks that one token gets
for layer = 1:size (A, 4)
  for head = 1:size (A, 3)
    H = A(:,:,head,layer);
    assert (all (diag (H) > 0));
    above(layer,head) = numerical_rank (H, 1e-2);
    concentration(layer,head) = max (mean (H));
  end
end
printf ('singular values above 1 %%, of %d (layers down, heads across):\n', T);
printf ([repmat(' %3d', 1, columns (above)) '\n'], above');
[few, k] = min (above(:));
[layer, head] = ind2sub (size (above), k);
related = corr (above(:), concentration(:));
printf (['fewest: layer %d head %d; one token gets %.0f %% of its looks, on average over heads ' ...
         '%.0f %%\n'], layer, head, 100 * concentration(k), 100 * mean (concentration(:)));
printf ('correlation of that share with the number of singular values: %.2f\n', related);
assert (max (above(:)) >= 2 * few);
assert (concentration(k) > mean (concentration(:)));
assert (related < -0.5);

% %% [markdown]
% 6\. With thin factors A (N-by-r) and B (r-by-N), `A * (B * V)` costs 4*N*r*dv operations, fewer
% than 2*N^2*dv below r = N/2.  The SVD itself takes several times as long as the product that it
% is to save.

% %%
dv = 64;
V = ones (N, dv);
cost = @(r) 4 * N * r * dv;
assert (cost (N / 2), 2 * N^2 * dv);
[product, decomposition] = deal (Inf);
for repeat = 1:5
  start = cputime ();
  W * V;
  product = min (product, cputime () - start);
  start = cputime ();
  svd (W);
  decomposition = min (decomposition, cputime () - start);
end
printf ('rank r: %d*r operations, which pays below r = %d; the SVD takes %.0f times W*V\n', ...
        cost (1), N / 2, decomposition / product);
assert (decomposition > 2 * product);

% %%
fig = new_picture (800, 560);
curves = semilogy (1:N, s / s(1), '-', 1:N, s_flat / s_flat(1), '-.', 1:N, s_sharp / s_sharp(1), ...
                  '--', 1:N, s_causal / s_causal(1), '-');
set (curves, 'linewidth', 2);
xlabel ('number of the singular value');
ylabel ('singular value / largest');
xlim ([1 N]);
ylim ([1e-8 1]);
legend ('plain', 'queries divided by 4', 'queries times 4', 'causal', 'location', 'southwest');
title (sprintf ('Singular values of W, %d tokens of %d numbers', N, d));
grid on

% %%
save_picture (fig, 'lab5_singular_values.png');
cd (before{1});
path (before{2});
