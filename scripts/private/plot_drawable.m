%% out = plot_drawable (text)
%%
%% TEXT (valid UTF-8) with \uNNNN for each character that no installed font has: gnuplot draws
%% those as boxes of any size all over the picture, qt leaves them out.  Only fontconfig is
%% asked, once a session for each character; where its fc-list is missing nothing changes.

function out = plot_drawable (text)
  persistent known = zeros (0, 2);   % rows: code point, 1 when a font has it
  out = text;
  bytes = double (text);
  if all (bytes < 201)               % up to U+024F: Latin letters, which every font has
    return;
  end
  codes = code_points (bytes);
  asked = unique (codes(codes >= 592 & ~ ismember (codes, known(:, 1))));
  if ~ isempty (asked)
    known = [known; asked(:), fonts_have(asked(:))];
  end
  lost = ismember (codes, known(known(:, 2) == 0, 1));
  if any (lost)
    starts = find (bytes < 128 | bytes >= 192);
    ends = [starts(2:end) - 1, numel(bytes)];
    parts = arrayfun (@(a, b) text(a:b), starts, ends, 'UniformOutput', false);
    parts(lost) = arrayfun (@(c) sprintf ('\\u%04X', c), codes(lost), 'UniformOutput', false);
    out = [parts{:}];
  end
end

%% Code points of valid UTF-8.
function codes = code_points (bytes)
  starts = find (bytes < 128 | bytes >= 192);
  codes = zeros (size (starts));
  for k = 1:numel (starts)
    lead = bytes(starts(k));
    width = 1 + (lead >= 192) + (lead >= 224) + (lead >= 240);
    codes(k) = lead - [0, 192, 224, 240](width);
    for tail = bytes(starts(k) + 1:starts(k) + width - 1)
      codes(k) = codes(k) * 64 + tail - 128;
    end
  end
end

%% Only hexadecimal digits that were made here reach the shell.
function has = fonts_have (codes)
  has = ones (size (codes));
  if ~ isunix ()
    return;
  end
  list = sprintf (' %x', codes);
  [status, found] = system (['command -v fc-list >/dev/null || exit 3; for c in', list, ...
                             '; do fc-list -q ":charset=$c" && echo $c; done; exit 0']);
  if status == 0
    has = ismember (codes, sscanf (found, '%x'));
  end
end

%!assert (plot_drawable ('plain'), 'plain')
%!assert (plot_drawable (char ([195, 169])), char ([195, 169]))
%!test
%! % A private character that no font has; beside it what is there stays.
%! assert (plot_drawable (['a' char([243, 176, 128, 129]) 'b']), 'a\uF0001b');
%! assert (plot_drawable (['a' char([243, 176, 128, 129]) 'b']), 'a\uF0001b');
