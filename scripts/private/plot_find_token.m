%% k = plot_find_token (fname, tokens, n, token, occurrence)
%%
%% Position of one token.
%%
%% tokens      cell array of N char rows, or [] when only positions are known
%% token       its text, with or without the leading space, or its position
%% occurrence  which one where the text is there several times: 'first', 'last' or a number;
%%             [] when the caller has not said
%%
%% Errors: attention:out-of-range when it is not there (the text lists the tokens or the
%% range), attention:bad-option when it is there several times and OCCURRENCE does not choose.

function k = plot_find_token (fname, tokens, n, token, occurrence)
  if isnumeric (token) && isscalar (token)
    k = double (token);
    if ~ (isreal (k) && k == fix (k) && k >= 1 && k <= n)
      error ('attention:out-of-range', ...
             '%s: position must be a whole number from 1 to %d, not %g', fname, n, k);
    end
    return;
  elseif ~ ischar (token)
    error ('attention:bad-type', '%s: token must be text or a position, not %s', ...
           fname, class (token));
  end
  name = plot_visible (token, 'token');
  if isempty (tokens)
    error ('attention:out-of-range', ...
           '%s: token ''%s'' cannot be found without a list of tokens', fname, name);
  end
  at = find (strcmp (tokens(:), token));
  labels = plot_tokens (fname, tokens, n, 'tokens');
  if isempty (at)
    at = find (strcmp (labels, name));
  end
  if isempty (at)
    error ('attention:out-of-range', '%s: token ''%s'' is not among the tokens: %s', ...
           fname, name, strjoin (labels(1:min (end, 30))', ' '));
  elseif isscalar (at) && isempty (occurrence)
    k = at;
  else
    k = chosen (fname, name, at, occurrence);
  end
end

function k = chosen (fname, name, at, occurrence)
  where = strjoin (arrayfun (@(p) sprintf ('%d', p), at(:)', 'UniformOutput', false), ', ');
  if strcmpi (occurrence, 'first')
    k = at(1);
  elseif strcmpi (occurrence, 'last')
    k = at(end);
  elseif isnumeric (occurrence) && ~ isempty (occurrence)
    if occurrence > numel (at)
      error ('attention:out-of-range', '%s: token ''%s'' has %d occurrence(s), at %s, not %d', ...
             fname, name, numel (at), where, occurrence);
    end
    k = at(occurrence);
  else
    error ('attention:bad-option', ...
           '%s: token ''%s'' is at positions %s; give one of them, or option ''Occurrence''', ...
           fname, name, where);
  end
end

%!shared tokens
%! tokens = {'The', ' animal', ' the', 'it', ' it', ' the'};
%!assert (plot_find_token ('f', tokens, 6, 'animal', []), 2)
%!assert (plot_find_token ('f', tokens, 6, ' animal', []), 2)
%!assert (plot_find_token ('f', tokens, 6, ' it', []), 5)
%!assert (plot_find_token ('f', tokens, 6, 'it', []), 4)
%!assert (plot_find_token ('f', tokens, 6, 'the', 'last'), 6)
%!assert (plot_find_token ('f', tokens, 6, 'the', 1), 3)
%!assert (plot_find_token ('f', [], 6, 6, []), 6)
%!error <token 'the' is at positions 3, 6> plot_find_token ('f', tokens, 6, 'the', [])
%!error <2 occurrence\(s\), at 3, 6, not 3> plot_find_token ('f', tokens, 6, 'the', 3)
%!error <'cat' is not among the tokens: The animal the> plot_find_token ('f', tokens, 6, 'cat', [])
%!error <whole number from 1 to 6, not 7> plot_find_token ('f', tokens, 6, 7, [])
%!error <whole number from 1 to 6, not 1.5> plot_find_token ('f', tokens, 6, 1.5, [])
