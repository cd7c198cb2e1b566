% rows = check_lab3 (): what lab_check looks at, a row each: text, function that is needed, check.

function rows = check_lab3 ()
  rows = {
    'forward: the slope of a line is exact', 'forward_difference', ...
      @() expect (forward_difference (@(x) 3 * x, 2, 0.5), 3, 16 * eps)
    'forward: the error of exp is about h/2 at 0', 'forward_difference', ...
      @() expect (forward_difference (@exp, 0, 1e-3) - 1, 0.5e-3, 1e-6)
    'forward: all elements of a matrix', 'forward_difference', ...
      @() expect (forward_difference (@weighted_sum, ones (2), 1), [1 2; 3 4], 1e-12)
    'forward: dQ of attention to 5 digits', 'forward_difference', ...
      @() gradient (@forward_difference, 1e-7, 1e-5)
    'central: a parabola is exact', 'central_difference', ...
      @() expect (central_difference (@(x) x^2, 2, 0.5), 4, 16 * eps)
    'central: the error of exp is about h^2/6 at 0', 'central_difference', ...
      @() expect (central_difference (@exp, 0, 1e-2) - 1, 1e-4 / 6, 1e-8)
    'central: all elements of a matrix', 'central_difference', ...
      @() expect (central_difference (@weighted_sum, ones (2), 1), [1 2; 3 4], 1e-12)
    'central: dQ of attention to 8 digits', 'central_difference', ...
      @() gradient (@central_difference, 1e-5, 1e-8)
  };
end

function f = weighted_sum (X)
  f = sum (sum (X .* [1 2; 3 4]));
end

function gradient (difference, h, tolerance)
  Q = [0.3 -0.2; 0.1 0.5];
  K = [0.7 0.1; -0.4 0.2; 0.5 -0.6];
  V = [1 2; 3 4; 5 7];
  dY = [1 -1; 0.5 2];
  D = difference (@(X) sum (sum (dY .* attention (X, K, V))), Q, h);
  expect (D, attention_grad (Q, K, V, dY), tolerance);
end
