%% [heading, text] = explorer_text (state)
%%
%% What attention_explorer says about a step: its name and one or two sentences.

function [heading, text] = explorer_text (state)
  names = explorer_steps ();
  heading = sprintf ('%d. %s', state.step, names{state.step});
  if ~ isempty (state.message)
    text = state.message;
    return;
  end
  labels = cellfun (@(t) plot_visible (t, 'token'), state.tokens, 'UniformOutput', false);
  me = ['''', labels{state.token}, ''''];
  w = state.weights(state.token, :);
  [most, at] = max (w);
  switch state.step
    case 1
      text = sprintf (['A sentence of %d tokens. %s is the one that looks; click another one ' ...
                       'to change that. Press Play.'], numel (labels), me);
      if strcmp (state.mode, 'model')
        text = [text, ' Steps 2, 3 and 5 are in the illustration only: the numbers of a ' ...
                'trained query or key have no names.'];
      end
    case 2
      text = sprintf (['What %s asks for (first column) and what each token offers: ' ...
                       'the query and the keys, set by hand.'], me);
    case 3
      text = sprintf (['Query times key, over the square root of %d: the score of each token ' ...
                       'for %s.'], size (state.Q, 2), me);
      if state.look_back
        text = [text, ' Tokens after it are hidden.'];
      end
    case 4
      text = sprintf (['Softmax turns the scores into weights that add up to 1. %s looks most ' ...
                       'at ''%s'' (%.2f).'], me, labels{at}, most);
    case 5
      text = sprintf ('The values, each times its weight, added up: %s becomes a blend of %s.', ...
                      me, blend_in_words (state));
    case 6
      text = 'Every token does the same at once: one row of weights for each.';
      if state.look_back || strcmp (state.mode, 'model')
        text = [text, ' Each looks back only, hence the triangle.'];
      end
  end
end

%% '0.74 living, 0.06 place, 0.20 other'.
function words = blend_in_words (state)
  y = state.blend(state.token, :);
  parts = arrayfun (@(k) sprintf ('%.2f %s', y(k), state.names.value{k}), 1:numel (y), ...
                    'UniformOutput', false);
  words = strjoin (parts, ', ');
end

%!assert (nthargout (1:2, @explorer_text, explorer_state ()){1}, '1. Tokens')
%!test
%! s = explorer_state (explorer_state (), 'step', 4);
%! [heading, text] = explorer_text (s);
%! assert (heading, '4. Softmax');
%! assert (any (strfind (text, '''it'' looks most at ''animal'' (0.74).')));
%! [~, text] = explorer_text (explorer_state (s, 'step', 5));
%! assert (any (strfind (text, '0.74 living, 0.06 place, 0.20 other')));
%! [~, text] = explorer_text (explorer_state (s, 'failed', 'x%d'));
%! assert (text, 'x%d');
%!test
%! % A model has weights only, and says where the other steps are.
%! s = explorer_state (explorer_state (), 'mode', 'model');
%! s = explorer_state (s, 'weights', struct ('tokens', {{'a', ' it'}}, 'layers', 1, 'heads', 1, ...
%!                                           'weights', [1, 0; 0.4, 0.6]));
%! [heading, text] = explorer_text (s);
%! assert (heading, '1. Tokens');
%! assert (any (strfind (text, 'Steps 2, 3 and 5 are in the illustration only')));
%! [heading, text] = explorer_text (explorer_state (s, 'next'));
%! assert (heading, '4. Softmax');
%! assert (any (strfind (text, '''it'' looks most at ''it'' (0.60)')));
