function x = numbers_in (text, pattern)
% The numbers in the groups of PATTERN, in its first match in what an example printed.

  found = regexp (text, pattern, 'tokens', 'once');
  if (isempty (found))
    error ('no match of "%s" in:\n%s', pattern, text);
  end
  x = str2double (found)(:)';
end
