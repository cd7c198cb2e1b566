% expect (value, wanted, tolerance) raises unless VALUE has the size and class of WANTED and differs
% from it by at most TOLERANCE (0 if omitted) in each element; NaN equals NaN.

function expect (value, wanted, tolerance)
  if (nargin < 3)
    tolerance = 0;
  end
  if (~ isequal (size (value), size (wanted)))
    error ('the size is %s, expected %s', shown (size (value)), shown (size (wanted)));
  elseif (~ strcmp (class (value), class (wanted)))
    error ('the class is %s, expected %s', class (value), class (wanted));
  end
  alike = (isnan (value) & isnan (wanted)) | value == wanted | abs (value - wanted) <= tolerance;
  if (all (alike(:)))
    return;
  end
  first = find (~ alike, 1);
  if (isscalar (value))
    error ('got %.10g, expected %.10g', value, wanted);
  end
  error ('element %d is %.10g, expected %.10g', first, value(first), wanted(first));
end

function text = shown (sizes)
  text = strjoin (arrayfun (@(n) sprintf ('%d', n), sizes, 'UniformOutput', false), '-by-');
end
