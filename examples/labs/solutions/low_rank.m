% W_r = low_rank (W, r): the matrix of rank R that is closest to W, in the 2-norm and in the
% Frobenius norm: the R largest singular values with their vectors.

function W_r = low_rank (W, r)
  [U, S, X] = svd (W);
  W_r = U(:,1:r) * S(1:r,1:r) * X(:,1:r)';
end
