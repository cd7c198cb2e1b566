% %% [markdown]
% # Lab 3, a solution: the gradient of attention against finite differences

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
Q = [0.3 -0.2; 0.1 0.5];
K = [0.7 0.1; -0.4 0.2; 0.5 -0.6];
V = [1 2; 3 4; 5 7];
dY = [1 -1; 0.5 2];
by_Q = @(Q) sum (sum (dY .* attention (Q, K, V)));
by_K = @(K) sum (sum (dY .* attention (Q, K, V)));
by_V = @(V) sum (sum (dY .* attention (Q, K, V)));
[dQ, dK, dV] = attention_grad (Q, K, V, dY);

% %% [markdown]
% 1\. and 2\. The error of both differences over fifteen powers of ten, as the root mean square over
% all elements of Q and K: a single element can be right by luck.

% %%
digits = @(D, exact) -log10 (max (abs (D(:) - exact(:))) / max (abs (exact(:))));
printf ('digits of dQ that agree, h = 1e-6: forward %.0f, central %.0f\n', ...
        digits (forward_difference (by_Q, Q, 1e-6), dQ), ...
        digits (central_difference (by_Q, Q, 1e-6), dQ));
h = 10 .^ (0:-0.25:-15);
[forward, central] = deal (zeros (size (h)));
exact = [dQ(:); dK(:)];
rms = @(e) sqrt (mean (e .^ 2));
for k = 1:numel (h)
  forward(k) = rms ([forward_difference(by_Q, Q, h(k))(:); ...
                     forward_difference(by_K, K, h(k))(:)] - exact);
  central(k) = rms ([central_difference(by_Q, Q, h(k))(:); ...
                     central_difference(by_K, K, h(k))(:)] - exact);
end
slope = @(e, range) polyfit (log10 (h(range)), log10 (e(range)), 1)(1);
large = h <= 1e-1 & h >= 1e-3;
printf ('slope of the right arm: forward %.2f (truncation ~ h), central %.2f (~ h^2)\n', ...
        slope (forward, large), slope (central, large));
assert (slope (forward, large), 1, 0.1);
assert (slope (central, large), 2, 0.1);
small = h <= 1e-9 & h >= 1e-14;
printf ('slope of the left arm:  forward %.2f, central %.2f (rounding ~ eps/h)\n', ...
        slope (forward, small), slope (central, small));
assert (slope (forward, small), -1, 0.2);
assert (slope (central, small), -1, 0.2);

% %% [markdown]
% 3\. `C*h + eps*f/h` is smallest at `h = sqrt (eps*f/C)`, `C*h^2 + eps*f/h` at the third root of
% `eps*f/(2*C)`: with f and C near 1, at the square root and the third root of eps.

% %%
[best_forward, kf] = min (forward);
[best_central, kc] = min (central);
printf ('best forward error %.0e at h = %.0e (square root of eps: %.0e)\n', best_forward, h(kf), ...
        sqrt (eps));
printf ('best central error %.0e at h = %.0e (third root of eps:  %.0e)\n', best_central, h(kc), ...
        eps ^ (1/3));
assert (abs (log10 (h(kf) / sqrt (eps))) <= 1.5);
assert (abs (log10 (h(kc) / eps ^ (1/3))) <= 1.5);
assert (best_central < best_forward / 10);

% %% [markdown]
% 4\. `Y = W*V` is linear in V, so both differences are exact but for rounding, even with h = 1.

% %%
error_V = max (max (abs (forward_difference (by_V, V, 1) - dV)));
error_Q = max (max (abs (forward_difference (by_Q, Q, 1) - dQ)));
printf ('forward difference with h = 1: error by V %.0e, by Q %.0e\n', error_V, error_Q);
assert (error_V < 64 * eps * max (abs (V(:))));
assert (error_Q > 1e-3);

% %% [markdown]
% 5\. Adding a number to all scores of a query changes no weight, so the derivative in the direction
% of all ones is zero.

% %%
[~, W] = attention (Q, K, V);
dW = dY * V';
dS = W .* (dW - sum (W .* dW, 2));
printf ('row sums of dS: %.0e and %.0e\n', sum (dS, 2));
assert (sum (dS, 2), [0; 0], 16 * eps * max (abs (dW(:))));
assert (dS * K / sqrt (2), dQ, 1e-14);

% %%
fig = new_picture (800, 560);
curves = loglog (h, forward, 'o-', h, central, 's-');
set (curves, 'linewidth', 2);
xlabel ('step h');
ylabel ('error of the derivatives by Q and K (rms)');
legend ('forward difference', 'central difference', 'location', 'north');
title ('Truncation on the right, rounding on the left');
grid on

% %%
save_picture (fig, 'lab3_differences.png');
cd (before{1});
path (before{2});
