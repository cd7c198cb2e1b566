% D = forward_difference (f, X, h): the derivatives of f (X) by all elements of X, by a forward
% difference with step h.

function D = forward_difference (f, X, h)
  D = zeros (size (X));
  here = f (X);
  for n = 1:numel (X)
    E = zeros (size (X));
    E(n) = h;
    D(n) = (f (X + E) - here) / h;
  end
end
