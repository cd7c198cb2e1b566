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

%!function check (bytes, expected)
%! assert (gpt2_labels ({char(bytes)}), {expected});
%!endfunction
%!assert (gpt2_labels (cell (1, 0)), cell (1, 0))
%!assert (gpt2_labels ({' it', 'it'; '', '\n'}), {' it', 'it'; '', '\n'})
%!test check ([32 226 130 172], char ([32 226 130 172]));
%!test check ([9 10 13 0 31 127], '\t\n\r\x00\x1F\x7F');
%!test % the ends of the ranges of table 3-7
%! for whole = {[194 128], [223 191], [224 160 128], [237 159 191], [238 128 128], ...
%!              [240 144 128 128], [244 143 191 191]}
%!   check ([65 whole{1} 66], char ([65 whole{1} 66]));
%! end
%!test % just outside: overlong, surrogates, beyond U+10FFFF, continuation bytes alone, cut short
%! for broken = {[193 191], [192 128], [224 159 191], [237 160 128], [240 143 191 191], ...
%!               [244 144 128 128], [245 128 128 128], [128], [191], [255], [226 130], ...
%!               [240 159 145], [195 40], [226 40 161]}
%!   label = gpt2_labels ({char([65 broken{1} 66])}){1};
%!   assert (all (label < 128));
%!   assert (double (do_string_escapes (label)), [65 broken{1} 66]);
%! end
