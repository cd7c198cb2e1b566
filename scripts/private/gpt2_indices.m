function indices = gpt2_indices (value, count, name)
% VALUE, a vector of whole numbers from 1 to COUNT or ':' for all, as a row of doubles.
% Errors: attention:bad-type, attention:out-of-range, both naming NAME.

  if (ischar (value) && strcmp (value, ':'))
    indices = 1:count;
    return;
  end
  if (~(isnumeric (value) && isreal (value) && isvector (value)))
    error ('attention:bad-type', '%s must be a number, a vector of numbers or '':'', not %s', ...
           name, gpt2_describe (value));
  end
  indices = double (full (value(:).'));
  wrong = find (~(indices >= 1 & indices <= count & indices == fix (indices)), 1);
  if (~isempty (wrong))
    error ('attention:out-of-range', '%s must be a whole number from 1 to %d, not %g', ...
           name, count, indices(wrong));
  end
end
