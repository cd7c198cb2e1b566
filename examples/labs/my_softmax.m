% w = my_softmax (s): weights of the scores s, a vector.  Lab 1: to be improved.

function w = my_softmax (s)
  w = exp (s) ./ sum (exp (s));
end
