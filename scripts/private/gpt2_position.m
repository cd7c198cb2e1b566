function position = gpt2_position (value, tokens, name)
% Position of one of TOKENS: VALUE is the position itself, or the token's text without its leading
% space, which must occur once.
% Errors: attention:bad-type, attention:out-of-range, both naming NAME.

  if (ischar (value) && isrow (value) && ~strcmp (value, ':'))
    bare = cellfun (@strtrim, tokens, 'UniformOutput', false);
    position = find (strcmp (strtrim (value), bare));
    if (isempty (position))
      labels = gpt2_labels (tokens);
      error ('attention:out-of-range', 'no token is ''%s''; the tokens are%s', ...
             value, sprintf (' ''%s''', labels{:}));
    elseif (numel (position) > 1)
      error ('attention:out-of-range', ...
             'the token ''%s'' occurs at the positions%s; give %s as a position', ...
             value, sprintf (' %d', position), name);
    end
    return;
  end
  position = gpt2_indices (value, numel (tokens), name);
  if (~isscalar (position))
    error ('attention:bad-type', '%s must be one token: its text or its position', name);
  end
end
