% Lab 1, a solution: softmax, overflow, and the error of float and double.

plain = @(s) exp (s) ./ sum (exp (s));
shifted = @(s) exp (s - max (s)) ./ sum (exp (s - max (s)));

% 1. exp overflows where its result passes the largest number of the format.
limit = struct ('double', log (realmax ()), 'single', log (double (realmax ('single'))));
printf ('exp overflows above %.2f in double and %.2f in single\n', limit.double, limit.single);
above = [0 ceil(limit.double)];
printf ('plain formula for scores 0 and %d: %s (Inf/Inf is NaN)\n', above(2), ...
        mat2str (plain (above)));
assert (isnan (plain (above)(2)));
assert (all (isfinite (plain ([0 floor(limit.double)]))));

% 2. With c = max (s) the largest exponential is exactly 1: none overflows, and the sum is at
%    least 1.
printf ('shifted formula:                   %s\n', mat2str (shifted (above)));
assert (shifted (above), [0 1], 1e-300);
s = [1 2 3];
assert (shifted (s), plain (s), eps);
assert (shifted (s + 500), shifted (s), 1e-13);

% 3. The error of a weight is some eps and grows slowly with the number of scores, like the rounding
%    errors of their sum, which partly cancel (all of them together could reach n*eps).
state = rand ('twister');
rand ('twister', 1);
printf ('largest relative error in single, in units of eps (single) = %.1e:\n', eps ('single'));
for n = [10 100 1000 10000]
  s = single (10 * rand (1, n));
  exact = shifted (double (s));
  e = max (abs (double (shifted (s)) - exact) ./ exact) / double (eps ('single'));
  printf ('  %5d scores: %.1f eps\n', n, e);
  assert (e < sqrt (n) + 16);
end
rand ('twister', state);

% 4. exp (-Inf) is 0: a score of -Inf hides its key.  This is what a mask does.  A row of nothing
%    but -Inf has no largest finite score, and -Inf - (-Inf) is NaN: code for attention must look
%    after it.
printf ('a hidden key: %s, all keys hidden: %s\n', mat2str (shifted ([0 -Inf 0])), ...
        mat2str (shifted ([-Inf -Inf])));
assert (shifted ([0 -Inf 0]), [0.5 0 0.5]);
assert (all (isnan (shifted ([-Inf -Inf]))));
addpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'scripts'));
[~, W] = attention (1, [1; 2], [1; 2], 'Mask', [false false]);
printf ('attention with all keys hidden gives weights %s\n', mat2str (W));
assert (W, [0 0]);
