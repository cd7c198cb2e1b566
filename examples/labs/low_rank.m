% W_r = low_rank (W, r): the matrix of rank R that is closest to W.  Lab 5: to be completed.

function W_r = low_rank (W, r)
  W_r = W;
end
