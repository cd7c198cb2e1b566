% D = central_difference (f, X, h): the derivatives of f (X) by all elements of X, by a central
% difference with step h.

function D = central_difference (f, X, h)
  D = zeros (size (X));
  for n = 1:numel (X)
    E = zeros (size (X));
    E(n) = h;
    D(n) = (f (X + E) - f (X - E)) / (2 * h);
  end
end
