% w = my_softmax (s): weights of the scores s, a vector.
% With c = max (s) the largest exponential is exactly 1: none overflows, and the sum is at least 1.

function w = my_softmax (s)
  e = exp (s - max (s));
  w = e ./ sum (e);
end
