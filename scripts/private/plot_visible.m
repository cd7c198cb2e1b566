%% shown = plot_visible (text, kind)
%%
%% TEXT in a form that a reader can see and every output device accepts: valid UTF-8 without
%% control characters.
%%
%% text   char row, bytes in UTF-8 (or not)
%% kind   'token': surrounding spaces go, a token of spaces only shows them as U+2423, a line
%%        end shows as \n, and the G with dot with which GPT-2's vocabulary writes a leading
%%        space counts as that space;
%%        'text' (titles, names of axes): spaces and line ends stay
%% shown  char row; a byte that is not UTF-8 shows as \xNN, a control or invisible character
%%        as \xNN or \uNNNN

function shown = plot_visible (text, kind)
  is_token = strcmp (kind, 'token');
  if ~ ischar (text) || (size (text, 1) > 1)
    error ('attention:bad-type', 'a label must be one row of text, not %s', class (text));
  end
  text = text(:)';
  if is_token
    if strncmp (text, char ([196, 160]), 2)
      text = [' ', text(3:end)];
    end
    if isempty (text)
      shown = '(empty)';
      return;
    elseif all (text == ' ')
      shown = repmat (char ([226, 144, 163]), 1, min (numel (text), 3));
      if numel (text) > 3
        shown = sprintf ('%sx%d', shown(1:3), numel (text));
      end
      return;
    end
    first = find (text ~= ' ', 1);
    last = find (text ~= ' ', 1, 'last');
    text = text(first:last);
  end
  plain = text >= 32 & text < 127;
  if all (plain)
    shown = text;
    return;
  end
  parts = {};
  k = 1;
  while k <= numel (text)
    [code, width] = character_at (double (text), k);
    parts{end + 1} = visible_character (text(k:k + width - 1), code, is_token);
    k = k + width;
  end
  shown = [parts{:}];
end

%% Code point of the UTF-8 character that starts at byte K and its number of bytes; -1 and 1
%% where the bytes are not UTF-8 (RFC 3629: no overlong forms, no surrogates, up to U+10FFFF).
function [code, width] = character_at (bytes, k)
  lead = bytes(k);
  if lead < 128
    code = lead;
    width = 1;
    return;
  elseif lead >= 194 && lead <= 223
    width = 2;
    code = lead - 192;
    smallest = 128;
  elseif lead >= 224 && lead <= 239
    width = 3;
    code = lead - 224;
    smallest = 2048;
  elseif lead >= 240 && lead <= 244
    width = 4;
    code = lead - 240;
    smallest = 65536;
  else
    code = -1;
    width = 1;
    return;
  end
  tail = bytes(k + 1:min (k + width - 1, numel (bytes)));
  if numel (tail) == width - 1 && all (tail >= 128 & tail <= 191)
    for b = tail
      code = code * 64 + (b - 128);
    end
    if code >= smallest && code <= 1114111 && ~ (code >= 55296 && code <= 57343)
      return;
    end
  end
  code = -1;
  width = 1;
end

function part = visible_character (bytes, code, is_token)
  if code == 10
    if is_token
      part = '\n';
    else
      part = bytes;
    end
  elseif code == 9
    part = '\t';
  elseif code == 13
    part = '\r';
  elseif code == -1 || code < 32 || code == 127
    part = sprintf ('\\x%02X', double (bytes));
  elseif is_invisible (code)
    part = sprintf ('\\u%04X', code);
  else
    part = bytes;
  end
end

%% Characters without a picture of their own, or which turn the direction of the text around.
function tf = is_invisible (code)
  tf = (code >= 128 && code <= 160) || code == 173 || (code >= 8192 && code <= 8207) ...
       || (code >= 8232 && code <= 8239) || (code >= 8287 && code <= 8303) || code == 65279;
end

%!test
%! G = char ([196, 160]);
%! box = char ([226, 144, 163]);
%! nfc = char ([195, 169]);
%! cases = {' this', 'this'; [G 'this'], 'this'; 'a b ', 'a b'; ' ', box; '   ', [box box box]; ...
%!          '          ', [box 'x10']; '', '(empty)'; ["\n"], '\n'; ["\n\n"], '\n\n'; ...
%!          ["a\tb\r"], 'a\tb\r'; char([255, 65]), '\xFFA'; char(0), '\x00'; nfc, nfc; ...
%!          char([192, 128]), '\xC0\x80'; char([237, 160, 128]), '\xED\xA0\x80'; ...
%!          char([195]), '\xC3'; char([240, 159, 145, 139]), char([240, 159, 145, 139]); ...
%!          char([194, 160]), '\u00A0'; char([239, 187, 191]), '\uFEFF'; ...
%!          char([244, 144, 128, 128]), '\xF4\x90\x80\x80'; '__init__', '__init__'};
%! for k = 1:size (cases, 1)
%!   assert (plot_visible (cases{k, 1}, 'token'), cases{k, 2});
%! end
%!test
%! assert (plot_visible (["two\nlines" char(7)], 'text'), ["two\nlines" '\x07']);
%! assert (plot_visible (' a ', 'text'), ' a ');
%! assert (isempty (plot_visible ('', 'text')));
%!error <one row of text> plot_visible (['ab'; 'cd'], 'token')
