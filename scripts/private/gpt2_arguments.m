function [positions, options] = gpt2_arguments (given, positions, options)
% Splits the arguments after the sentence.  POSITIONS holds the defaults of the positional ones:
% those come first.  A char can be one only where the default is char too, and ':' only where the
% default is ':'.  OPTIONS is a struct of the defaults; the rest of GIVEN are pairs 'Name', value.
% Errors: attention:bad-option.

  names = fieldnames (options);
  next = 1;
  for i = 1:numel (positions)
    if (next > numel (given) || starts_options (given{next}, positions{i}, names))
      break;
    end
    positions{i} = given{next};
    next = next + 1;
  end

  while (next <= numel (given))
    name = given{next};
    if (~ischar (name) || ~(isrow (name) || isempty (name)))
      error ('attention:bad-option', ...
             'argument %d after the required ones must be the name of an option (%s), not %s', ...
             next, list (names), gpt2_describe (name));
    end
    which = find (strcmpi (name, names));
    if (isempty (which))
      error ('attention:bad-option', 'there is no option ''%s''; there are %s', name, list (names));
    end
    if (next == numel (given))
      error ('attention:bad-option', 'option ''%s'' has no value', name);
    end
    options.(names{which}) = given{next+1};
    next = next + 2;
  end
end

function yes = starts_options (value, default, names)
  named = ischar (default) && ~strcmp (default, ':');
  yes = ischar (value) && ~strcmp (value, ':') && (~named || any (strcmpi (value, names)));
end

function text = list (names)
  text = sprintf ('''%s'', ', names{:});
  text = text(1:end-2);
end
