function assert_no_function_names (names)
% Raises when one of the variables NAMES has the name of a function, which it would hide.

  names = setdiff (names, {'ans'});
  hidden = names(cellfun (@(name) any (exist (name) == [2, 3, 5, 103]), names));
  if (~ isempty (hidden))
    error ('variables that hide functions: %s', strjoin (hidden, ', '));
  end
end
