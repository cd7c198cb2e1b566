function labels = gpt2_labels (tokens)
% Printable forms of TOKENS (a cell of byte strings), of the same size: bytes that are not part of a
% whole UTF-8 character, and control characters, become \xNN, with \n, \t and \r by name.

  labels = tokens;
  plain = cellfun (@(token) all (token >= ' ' & token <= '~'), tokens);
  others = find (~plain);
  [different, ~, place] = unique (tokens(others));
  different = cellfun (@(token) printable (double (token)), different, 'UniformOutput', false);
  labels(others) = different(place);
end

function label = printable (bytes)
  label = '';
  names = {9, '\t'; 10, '\n'; 13, '\r'};
  at = 1;
  while (at <= numel (bytes))
    count = character_bytes (bytes(at:min (at + 3, end)));
    byte = bytes(at);
    which = find ([names{:,1}] == byte);
    if (~isempty (which))
      label = [label names{which,2}];
    elseif (count == 0 || byte < 32 || byte == 127)
      label = [label sprintf('\\x%02X', byte)];
    else
      label = [label char(bytes(at:at+count-1))];
    end
    at = at + max (count, 1);
  end
end

function count = character_bytes (bytes)
% Bytes of the UTF-8 character at the start of BYTES, 0 when there is no whole valid one
% (Unicode Standard, table 3-7).
  count = sum (bytes(1) >= [0 194 224 240]);
  if (bytes(1) >= 128 && bytes(1) < 194 || bytes(1) > 244 || numel (bytes) < count)
    count = 0;
    return;
  end
  low = 128;
  high = 191;
  switch (bytes(1))
    case 224
      low = 160;
    case 237
      high = 159;
    case 240
      low = 144;
    case 244
      high = 143;
  end
  rest = bytes(2:count);
  if (any (rest < 128 | rest > 191) || (count > 1 && (rest(1) < low || rest(1) > high)))
    count = 0;
  end
end
