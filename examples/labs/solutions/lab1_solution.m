% %% [markdown]
% # Lab 1, a solution: softmax, overflow, and rounding

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
plain = @(s) exp (s) ./ sum (exp (s));

% %% [markdown]
% 1\. `exp` overflows above the logarithm of the largest number, and gives 0 below that of half the
% smallest one.  Inf/Inf and 0/0 are NaN.

% %%
formats = {'double', 'single'};
for n = 1:2
  smallest = double (realmin (formats{n})) * double (eps (formats{n}));   % subnormal
  over = log (double (realmax (formats{n})));
  under = log (smallest) - log (2);
  printf ('%s: exp overflows above %.2f and is 0 below %.2f\n', formats{n}, over, under);
  assert (all (isfinite (plain (cast ([0 floor(over)], formats{n})))));
  assert (isnan (plain (cast ([0 ceil(over)], formats{n}))(2)));
  assert (exp (cast (ceil (under), formats{n})) > 0);
  assert (all (isnan (plain (cast ([1 1] * floor (under), formats{n})))));
end

% %% [markdown]
% 2\. `exp (s - c) = exp (s) / exp (c)`, and `exp (c)` cancels.  With c the largest score its
% exponential is exactly 1: nothing overflows, and the sum is at least 1.

% %%
printf ('shifted formula, scores 0 and 1000: %s, -1000 twice: %s\n', ...
        mat2str (my_softmax ([0 1000])), mat2str (my_softmax ([-1000 -1000])));
assert (my_softmax ([0 1000]), [0 1]);
assert (my_softmax ([-1000 -1000]), [0.5 0.5]);
s = [1 2 3];
assert (my_softmax (s), plain (s), 2 * eps);
assert (my_softmax (s + 512), my_softmax (s));      % s + 512 is exact, so is the shift back

% %% [markdown]
% 3\. Two things round.  `sum` adds one number after the other: each addition rounds by up to half
% an eps of the sum so far.  For thousands of scores these errors partly cancel; for a million the
% sum is so much larger than each number that they go the same way.  And `s - max (s)` rounds by
% up to half an eps of the difference, which the exponential turns into a relative error: large
% differences cost digits, but their weights are small.

% %%
relative_error = @(w, exact) max (abs (double (w) - exact) ./ exact) / double (eps ('single'));
state = rand ('twister');
rand ('twister', 1);
counts = 10 .^ (1:6);
by_count = zeros (size (counts));
for k = 1:numel (counts)
  s = single (rand (1, counts(k)));
  by_count(k) = relative_error (my_softmax (s), my_softmax (double (s)));
  printf ('%8d scores from 0 to 1:   largest error of a weight %8.1f eps\n', counts(k), ...
          by_count(k));
end
sizes = [1 10 80];
by_size = zeros (size (sizes));
for k = 1:numel (sizes)
  for draw = 1:100                                  % of so few scores that their sum hardly errs
    s = single (sizes(k) * rand (1, 8));
    by_size(k) = max (by_size(k), relative_error (my_softmax (s), my_softmax (double (s))));
  end
  printf ('100 times 8 scores from 0 to %2d: largest error of a weight %6.1f eps\n', sizes(k), ...
          by_size(k));
end
rand ('twister', state);
assert (all (by_count < counts / 2 + 4));           % n additions, half an eps each
assert (all (by_count(counts <= 1e4) < sqrt (counts(counts <= 1e4)) + 4));
assert (by_count(end) > 10 * by_count(1));
assert (all (by_size < sizes / 2 + 8));
assert (by_size(3) > 4 * by_size(1));

% %% [markdown]
% The cure for the first part is another order of adding up: sums of blocks, then the sum of these.

% %%
s = single (rand (1000, 1000));
exponentials = exp (s - max (s(:)));
exact = sum (double (exponentials)(:));
error_of = @(total) abs (double (total) - exact) / exact / double (eps ('single'));
printf ('sum of 10^6 exponentials: one after the other %.1f eps, by columns first %.1f eps\n', ...
        error_of (sum (exponentials(:))), error_of (sum (sum (exponentials))));
assert (error_of (sum (sum (exponentials))) < error_of (sum (exponentials(:))) / 4);

% %% [markdown]
% 4\. `exp (-Inf)` is 0: a score of -Inf hides its key.  This is what a mask does.  A row of nothing
% but -Inf has no largest finite score, and -Inf - (-Inf) is NaN: code for attention must look after
% it.

% %%
printf ('a hidden key: %s, all keys hidden: %s\n', mat2str (my_softmax ([0 -Inf 0])), ...
        mat2str (my_softmax ([-Inf -Inf])));
assert (my_softmax ([0 -Inf 0]), [0.5 0 0.5]);
assert (all (isnan (my_softmax ([-Inf -Inf]))));
[~, W] = attention (1, [1; 2], [1; 2], 'Mask', [false false]);
printf ('attention with all keys hidden gives weights %s\n', mat2str (W));
assert (W, [0 0]);
cd (before{1});
path (before{2});
