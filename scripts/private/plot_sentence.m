%% text = plot_sentence (labels, tokens, most)
%%
%% The sentence of a list of tokens in at most about MOST characters: with the spaces of the
%% tokens where they have any, else with one space between labels.
%%
%% labels  as plot_tokens gives them
%% tokens  the list that they were made from, or []

function text = plot_sentence (labels, tokens, most)
  few = cumsum (cellfun (@plot_columns, labels) + 1) <= most;
  between = ' ';
  if iscell (tokens) && any (strncmp (tokens, ' ', 1))
    between = '';
    labels = tokens(:);
  end
  text = strtrim (strrep (plot_visible (strjoin (labels(few)', between), 'text'), char (10), ' '));
  if ~ all (few)
    text = [text, ' ...'];
  end
end
