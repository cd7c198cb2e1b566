function value = gpt2_check (kind, value, name)
% Checks the value of option or argument NAME; KIND is
%   'flag'     true or false (or 1 or 0)
%   'count'    a whole number >= 1
%   'number'   a finite number >= 0
%   'share'    a number above 0 and at most 1
%   'seed'     a whole number from 0 to 2^53
% Errors: attention:bad-type for the class or shape, attention:out-of-range for the number.

  real_scalar = isscalar (value) && (isnumeric (value) || islogical (value)) && isreal (value);
  if (real_scalar)
    value = double (value);
  end
  switch (kind)
    case 'flag'
      expected = 'true or false';
      good = real_scalar && (value == 0 || value == 1);
    case 'count'
      expected = 'a whole number from 1';
      good = real_scalar && value >= 1 && value == fix (value) && isfinite (value);
    case 'number'
      expected = 'a finite number from 0';
      good = real_scalar && value >= 0 && isfinite (value);
    case 'share'
      expected = 'a number above 0 and at most 1';
      good = real_scalar && value > 0 && value <= 1;
    case 'seed'
      expected = 'a whole number from 0 to 2^53';
      good = real_scalar && value >= 0 && value <= 2^53 && value == fix (value);
  end
  if (good)
    if (strcmp (kind, 'flag'))
      value = logical (value);
    end
  elseif (real_scalar)
    error ('attention:out-of-range', '%s must be %s, not %g', name, expected, value);
  else
    error ('attention:bad-type', '%s must be %s, not %s', name, expected, gpt2_describe (value));
  end
end
