%% explorer_draw (sentence, picture, state, on_token)
%%
%% Draws STATE (see explorer_state) into two axes: the sentence, with each token on a ground as
%% dark as its weight, and the picture of the step.
%%
%% on_token  callback (a cell: function and its arguments) for a click on a token, which gets the
%%           position of the token as its last argument

function explorer_draw (sentence, picture, state, on_token)
  cla (sentence);
  delete (findobj (get (picture, 'Parent'), 'Tag', 'attention_colorbar'));
  cla (picture);
  set (picture, 'Visible', 'on');
  if isequal (state.tokens, {''})
    set (picture, 'Visible', 'off');
    return;
  end
  draw_sentence (sentence, state, on_token);
  k = state.token;
  labels = cellfun (@(t) plot_visible (t, 'token'), state.tokens, 'UniformOutput', false);
  me = ['''', labels{k}, ''''];
  switch state.step
    case 1
      draw_tokens (picture, state, labels);
    case 2
      attention_heatmap ([state.Q(k, :)', state.K'], ...
                         {state.names.key(:), [{['query of ', me]}; labels]}, ...
                         'Parent', picture, 'FontSize', 12, 'Values', 'on', 'XLabel', 'keys', ...
                         'YLabel', property_name (state));
      line ('Parent', picture, 'XData', [1.5, 1.5], 'YData', get (picture, 'YLim'), ...
            'Color', [0, 0, 0], 'LineWidth', 2);
    case 3
      draw_scores (picture, state, labels, me);
    case 4
      attention_row (state.weights, state.tokens, k, 'Parent', picture, 'FontSize', 12, ...
                     'Print', 'off', ...
                     'Title', 'weights');
    case 5
      w = state.weights(k, :);
      attention_heatmap ([w .* state.V', state.blend(k, :)'], ...
                         {state.names.value(:), [labels; {['new ', me]}]}, 'Parent', picture, ...
                         'FontSize', 12, ...
                         'XLabel', 'weight times value of each token, and their sum', ...
                         'YLabel', '', 'Limits', [0, 1]);
      line ('Parent', picture, 'XData', numel (w) + [0.5, 0.5], ...
            'YData', get (picture, 'YLim'), 'Color', [0, 0, 0], 'LineWidth', 2);
    case 6
      attention_heatmap (state.weights, state.tokens, 'Parent', picture, ...
                         'FontSize', 12);
      n = numel (state.tokens);
      line ('Parent', picture, 'XData', [0.5, n + 0.5, n + 0.5, 0.5, 0.5], ...
            'YData', k + [-0.5, -0.5, 0.5, 0.5, -0.5], 'Color', [0.85, 0.3, 0.1], ...
            'LineWidth', 2);
  end
end

function name = property_name (state)
  name = 'property';
  if state.head == 2
    name = 'position';
  end
end

%% Step 1: the tokens and their positions.
function draw_tokens (ax, state, labels)
  n = numel (labels);
  attention_heatmap (zeros (1, n), {{''}, labels}, 'Parent', ax, 'Colorbar', 'off', ...
                     'XLabel', '', 'YLabel', '', 'Labels', 'off', 'Limits', [0, 1]);
  set (ax, 'Visible', 'off');
  columns = max (1, ceil (n / 12));
  rows = ceil (n / columns);
  set (ax, 'XLim', [0, columns], 'YLim', [0.5, max(rows, 8) + 0.5]);
  texts = arrayfun (@(k) sprintf ('%3d   %s', k, labels{k}), (1:n)', 'UniformOutput', false);
  column = floor ((0:n - 1)' / rows);
  h = plot_text (ax, column + 0.05, (1:n)' - column * rows, texts, 'FontSize', 14);
  set (h(state.token), 'FontWeight', 'bold', 'Color', [0.85, 0.3, 0.1]);
end

%% Step 3: a bar for each score; hidden tokens say so.
function draw_scores (ax, state, labels, me)
  scores = state.scores(state.token, :);
  hidden = isnan (scores);
  labels(hidden) = cellfun (@(t) [t, ' (hidden)'], labels(hidden), 'UniformOutput', false);
  scores(hidden) = 0;
  attention_row (scores, {me(2:end - 1)}, 1, 'KeyTokens', labels, 'Parent', ax, ...
                 'FontSize', 12, 'Print', 'off', ...
                 'Threshold', 0, 'YLabel', 'score', 'Title', 'scores');
end

%% The sentence in lines, in units of pixels.
function draw_sentence (ax, state, on_token)
  area = getpixelposition (ax);
  labels = cellfun (@(t) plot_visible (t, 'token'), state.tokens, 'UniformOutput', false);
  [boxes, font] = layout (labels, area(3:4));
  set (ax, 'XLim', [0, area(3)], 'YLim', [0, area(4)], 'YDir', 'reverse', 'Visible', 'off');
  weights = zeros (1, numel (labels));
  if state.step >= 4
    weights = state.weights(state.token, :);
  end
  map = plot_colormap ([], [0, 1]);
  for k = 1:numel (labels)
    b = boxes(k, :);
    ground = map(1 + round (min (weights(k), 1) * (size (map, 1) - 1)), :);
    edge = [0.8, 0.8, 0.8];
    width = 0.5;
    if k == state.token
      edge = [0.85, 0.3, 0.1];
      width = 2.5;
    end
    ink = [0, 0, 0];
    if ground * [0.299; 0.587; 0.114] < 0.55
      ink = [1, 1, 1];
    end
    click = {'ButtonDownFcn', [on_token, {k}]};
    patch ('Parent', ax, 'XData', b(1) + [0, 0, b(3), b(3)], ...
           'YData', b(2) + [0, b(4), b(4), 0], 'FaceColor', ground, 'EdgeColor', edge, ...
           'LineWidth', width, 'Tag', sprintf ('token%d', k), click{:});
    plot_text (ax, b(1) + b(3) / 2, b(2) + b(4) / 2, labels{k}, 'Color', ink, ...
               'HorizontalAlignment', 'center', 'VerticalAlignment', 'middle', ...
               'FontSize', font, click{:});
  end
end

%% A box [left top width height] in pixels for each token, in lines that fill the width, in the
%% largest font in which all lines fit.  (On the screen qt draws a point as one pixel.)
function [boxes, font] = layout (labels, area)
  for font = [18, 16, 14, 12, 10, 8, 6]
    height = 1.9 * font;
    widths = cellfun (@(t) plot_width (plot_columns (t) + 1.5, font, 1), labels);
    boxes = zeros (numel (labels), 4);
    x = 4;
    y = 4;
    for k = 1:numel (labels)
      if x > 4 && x + widths(k) > area(1) - 4
        x = 4;
        y = y + height + 4;
      end
      boxes(k, :) = [x, y, widths(k), height];
      x = x + widths(k) + 4;
    end
    if y + height <= area(2)
      return;
    end
  end
end
