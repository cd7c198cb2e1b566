% rows = check_lab5 (): what lab_check looks at, a row each: text, function that is needed, check.

function rows = check_lab5 ()
  [~, W] = attention (cos ((1:20)' * (1:3)), sin ((1:20)' * (1:3)), eye (20));
  s = svd (W);
  rows = {
    'the unit matrix has full numerical rank', 'numerical_rank', ...
      @() expect (numerical_rank (eye (5), 0.5), 5)
    'a product of two vectors has rank 1', 'numerical_rank', ...
      @() expect (numerical_rank ((1:4)' * (1:6), 1e-10), 1)
    'the tolerance is relative to the largest', 'numerical_rank', ...
      @() expect (numerical_rank (diag ([100 2 0.5]), 0.01), 2)
    'the factor of a matrix does not matter', 'numerical_rank', ...
      @() expect (numerical_rank (1e-9 * W, 0.01), sum (s > 0.01 * s(1)))
    'all singular values give the matrix', 'low_rank', @() expect (low_rank (W, 20), W, 1e-13)
    'rank 3 has rank 3', 'low_rank', @() expect (rank (low_rank (W, 3), 1e-10), 3)
    'the error of rank 3 is singular value 4', 'low_rank', ...
      @() expect (norm (W - low_rank (W, 3)), s(4), 1e-13)
    'a matrix that is not square', 'low_rank', ...
      @() expect (low_rank ((1:4)' * (1:6), 1), (1:4)' * (1:6), 1e-12)
  };
end
