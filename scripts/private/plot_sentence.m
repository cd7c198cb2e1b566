%% text = plot_sentence (labels, tokens, most)
%%
%% The sentence of a list of tokens in at most about MOST columns: with the spaces of the tokens
%% where they have any, else with one space between labels.  Of a longer one both ends are
%% kept, as sentences that are compared often differ in their last words.
%%
%% labels  as plot_tokens gives them
%% tokens  the list that they were made from, or []

function text = plot_sentence (labels, tokens, most)
  widths = cellfun (@plot_columns, labels) + 1;
  all_fit = sum (widths) <= most + 1;
  first = cumsum (widths) <= 0.6 * most - 2;
  last = flipud (cumsum (flipud (widths)) <= 0.4 * most - 2);
  between = ' ';
  if iscell (tokens) && any (strncmp (tokens, ' ', 1))
    between = '';
    labels = tokens(:);
  end
  if all_fit
    text = joined (labels, between);
  else
    text = strtrim ([joined(labels(first), between), ' ... ', joined(labels(last), between)]);
  end
end

function text = joined (labels, between)
  text = strtrim (strrep (plot_visible (strjoin (labels', between), 'text'), char (10), ' '));
end

%!assert (plot_sentence ({'a'; 'b'}, {'a', 'b'}, 20), 'a b')
%!assert (plot_sentence ({'a'; 'b'; 'c'}, {'a', 'b', ' c'}, 5), 'ab c')
%!test
%! t = arrayfun (@(k) sprintf (' w%02d', k), 1:30, 'UniformOutput', false);
%! assert (plot_sentence (strtrim (t'), t, 40), 'w01 w02 w03 w04 w05 ... w28 w29 w30');
