% D = central_difference (f, X, h): the derivatives of f (X) by all elements of X, by a central
% difference with step h.  Lab 3: to be completed.

function D = central_difference (f, X, h)
  D = zeros (size (X));
  for n = 1:numel (X)
    % here D(n) becomes the derivative by X(n)
  end
end
