% %% [markdown]
% # Lab 2, a solution: softmax in one pass, and attention by blocks of keys

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

% %% [markdown]
% 1\. One loop, `online_sums.m`.

% %%
s = [3 1 4 1 5 9 2 6];
[m, z] = online_sums (s);
printf ('one pass: m = %g, z = %.15g;  three passes: m = %g, z = %.15g\n', m, z, max (s), ...
        sum (exp (s - max (s))));
assert ([m z], [max(s) sum(exp(s - max (s)))], 8 * eps (z));

% %% [markdown]
% 2\. and 3\. All queries at once, block after block of keys, `blocked_attention.m`.  The order of
% the sums is another one than in `attention`, so the results differ by rounding only.

% %%
state = randn ('state');
randn ('state', 1);
Q = randn (50, 16);
K = randn (200, 16);
V = randn (200, 8);
randn ('state', state);
for block = [1 7 64 200]
  difference = max (max (abs (blocked_attention (Q, K, V, block) - attention (Q, K, V))));
  printf ('blocks of %3d keys: largest difference from attention %.1e\n', block, difference);
  assert (difference < 200 * eps * max (abs (V(:))));
end

% %% [markdown]
% 4\. Per query the blocked version keeps m, z, a row of Y and a block of scores: memory grows like
% N.  The plain formula keeps all N^2 scores.

% %%
block = 64;
columns_of_V = 64;
blocked_bytes = @(N) 8 * N * (3 + columns_of_V + block);
plain_bytes = @(N) 8 * N .^ 2;
for N = [1000 2000]
  X = ones (N, columns_of_V);
  [~, bytes] = blocked_attention (X, X, X, block);
  S = X * X';
  assert (bytes, blocked_bytes (N));
  assert (sizeof (S), plain_bytes (N));
end
for N = [1000 10000 100000]
  printf ('N = %6d: blocked %8.1f MB, plain %10.1f MB\n', N, blocked_bytes (N) / 1e6, ...
          plain_bytes (N) / 1e6);
end
installed = 16 * 2^30;
printf ('the scores alone fill %d GiB at N = %d\n', installed / 2^30, floor (sqrt (installed / 8)));
cd (before{1});
path (before{2});
