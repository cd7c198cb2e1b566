% r = numerical_rank (W, tolerance): how many singular values of W are above TOLERANCE times the
% largest.

function r = numerical_rank (W, tolerance)
  s = svd (W);
  r = sum (s > tolerance * max (s));
end
