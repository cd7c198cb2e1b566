% Lab 3, a solution: the gradient of attention against finite differences.

here = fileparts (mfilename ('fullpath'));
addpath (fullfile (here, '..'), fullfile (here, '..', '..', 'scripts'));
Q = [0.3 -0.2; 0.1 0.5];
K = [0.7 0.1; -0.4 0.2; 0.5 -0.6];
V = [1 2; 3 4; 5 7];
dY = [1 -1; 0.5 2];
f = @(Q) sum (sum (dY .* attention (Q, K, V)));
dQ = attention_grad (Q, K, V, dY);

% 1. and 2. The error of both differences over fifteen powers of ten.
E = [1 0; 0 0];
h = 10 .^ (0:-0.5:-15);
[forward, central] = deal (zeros (size (h)));
for k = 1:numel (h)
  above = f (Q + h(k) * E);
  below = f (Q - h(k) * E);
  forward(k) = abs ((above - f (Q)) / h(k) - dQ(1,1));
  central(k) = abs ((above - below) / (2 * h(k)) - dQ(1,1));
end
slope = @(e, range) polyfit (log10 (h(range)), log10 (max (e(range), realmin ())), 1)(1);
large = h <= 1e-1 & h >= 1e-3;
printf ('slope of the right arm: forward %.2f (truncation ~ h), central %.2f (~ h^2)\n', ...
        slope (forward, large), slope (central, large));
assert (slope (forward, large), 1, 0.1);
assert (slope (central, large), 2, 0.1);
small = h <= 1e-10;
printf ('slope of the left arm:  forward %.2f, central %.2f (rounding ~ eps/h)\n', ...
        slope (forward, small), slope (central, small));
assert (slope (forward, small), -1, 0.4);
assert (slope (central, small), -1, 0.4);

% 3. C*h + eps*f/h is smallest at h = sqrt (eps*f/C), C*h^2 + eps*f/h at the third root.
[best_forward, kf] = min (forward);
[best_central, kc] = min (central);
printf ('best forward error %.0e at h = %.0e (square root of eps: %.0e)\n', best_forward, h(kf), ...
        sqrt (eps));
printf ('best central error %.0e at h = %.0e (third root of eps:  %.0e)\n', best_central, h(kc), ...
        eps ^ (1/3));
assert (abs (log10 (h(kf) / sqrt (eps))) <= 2);
assert (abs (log10 (h(kc) / eps ^ (1/3))) <= 2);
assert (best_central < best_forward);

% 4. Adding a number to all scores of a query changes no weight, so the derivative in the
%    direction of all ones is zero.
[~, W] = attention (Q, K, V);
dW = dY * V';
dS = W .* (dW - sum (W .* dW, 2));
printf ('row sums of dS: %.0e and %.0e\n', sum (dS, 2));
assert (sum (dS, 2), [0; 0], 1e-15);
assert (dS * K / sqrt (2), dQ, 1e-14);

fig = new_picture (800, 560);
lines = loglog (h, max (forward, 1e-17), 'o-', h, max (central, 1e-17), 's-');
set (lines, 'linewidth', 2);
xlabel ('step h');
ylabel ('error of the derivative by Q(1,1)');
legend ('forward difference', 'central difference', 'location', 'north');
title ('Truncation on the right, rounding on the left');
grid on
save_picture (fig, 'lab3_differences.png');
