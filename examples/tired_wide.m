% One word at the end changes what 'it' means:
%   The animal didn't cross the street because it was too tired / wide.
%
% Part 1 is an illustration: one layer with two heads, whose queries and keys were set by hand to
% show what trained heads tend to do.  Masking, softmax and blend are computed by attention ().
% Part 2 is a trained model that only looks back, where the same change must show somewhere else.
% Run it from anywhere:  octave-cli examples/tired_wide.m

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));
1;

% Prints the six steps from 'it' and draws them into six panels.
function show_steps (word)
  [tokens, Q, K, V, names] = attention_illustration (word, 1);
  [Y, W] = attention (Q, K, V);
  scores = Q * K' / sqrt (size (Q, 2));
  it = find (strcmp (tokens, 'it'));
  printf ('\n1. Tokens:  %s\n', strjoin (tokens', ' '));
  list = @(names, x) strjoin (cellfun (@(n, v) sprintf ('%s %g', n, round (100 * v) / 100), ...
                                       names(:)', num2cell (x), 'UniformOutput', false), '  ');
  printf ('2. Query of ''it'', set by hand, asks for:  %s\n', list (names.key, Q(it,:)));
  printf ('3. Scores, query times key / sqrt (%d):  %s\n', size (Q, 2), ...
          list (tokens, scores(it,:)));
  printf ('4. Softmax, ');
  attention_row (W, tokens, 'it', 'Draw', 'off');
  printf ('5. Blend, what ''it'' has become:  %s\n', list (names.value, Y(it,:)));
  [most, at] = max (W, [], 2);
  printf ('6. Every token and where it looks most:  %s\n', ...
          strjoin (cellfun (@(a, b, w) sprintf ('%s-%s %.2f', a, b, w), tokens', tokens(at)', ...
                            num2cell (most'), 'UniformOutput', false), '  '));

  fig = new_picture (1400, 880);
  panel = @(k) subplot (2, 3, k);
  attention_heatmap (K, {tokens, names.key}, 'Title', '1. tokens and their keys', 'XLabel', ...
                     'property', 'YLabel', '', 'Colorbar', 'off', 'Parent', panel (1));
  quiet = {'Print', 'off', 'XLabel', '', 'Parent'};
  attention_row (Q, tokens, 'it', 'KeyTokens', names.key, 'Title', '2. query', 'YLabel', ...
                 'asks for', quiet{:}, panel (2));
  attention_row (scores, tokens, 'it', 'Title', '3. scores', 'YLabel', 'score', quiet{:}, ...
                 panel (3));
  attention_row (W, tokens, 'it', 'Title', '4. softmax', 'Limits', [0 1], quiet{:}, panel (4));
  attention_row (Y, tokens, 'it', 'KeyTokens', names.value, 'Title', '5. blend', 'Limits', ...
                 [0 1], 'YLabel', 'share', quiet{:}, panel (5));
  attention_heatmap (W, tokens, 'Title', '6. every token', 'Colorbar', 'off', 'Parent', panel (6));
  save_picture (fig, ['tired_wide_steps_' word '.png']);
end

% The probability of a word as the next token.
function p = probability (passage, word, about)
  [tokens, all] = gpt2_next (passage, about.vocabulary);
  p = all(find (strcmp (tokens, word), 1));
end

% ---- Part 1: the illustration ----

printf ('An illustration: queries and keys are set by hand, the rest is computed.\n');
show_steps ('tired');
show_steps ('wide');

[tokens, Q, K, V] = attention_illustration ('tired', 1);
[~, tired] = attention (Q, K, V);
[tokens_wide, Q, K, V] = attention_illustration ('wide', 1);
[~, wide] = attention (Q, K, V);
at = @(word) find (strcmp (tokens, word));
it = at ('it');
printf (['\nWith "tired" most of ''it'' comes from ''animal'', %.2f; with "wide" from ' ...
         '''street'', %.2f.\n'], tired(it,at ('animal')), wide(it,at ('street')));
[~, most] = max ([tired(it,:); wide(it,:)], [], 2);
assert (most, [at('animal'); at('street')]);
fig = new_picture (1150, 760);
attention_compare (tired, tokens, wide, tokens_wide, 'Token', 'it', 'Titles', ...
                   {'... because it was too tired', '... because it was too wide'});
save_picture (fig, 'tired_wide_compare.png');

% Head 2 looks at the previous word.
[~, Q, K, V] = attention_illustration ('tired', 2);
[~, second] = attention (Q, K, V);
[most, where] = max (second, [], 2);
printf ('Head 2: each word looks most at the one before it, with at least %.2f.\n', ...
        min (most(2:end)));
assert (where(2:end)', 1:numel (tokens) - 1);

% Look back only: a triangle, and the last word is out of reach.
[~, Q, K, V] = attention_illustration ('tired', 1, true);
[~, back_tired] = attention (Q, K, V, 'causal');
[~, Q, K, V] = attention_illustration ('wide', 1, true);
[~, back_wide] = attention (Q, K, V, 'causal');
printf (['Look back only: above the diagonal all weights are %g. ''it'' cannot see the last\n' ...
         'word, so the two sentences give it the same row (difference %g): animal %.2f,\n' ...
         'street %.2f, undecided.\n'], max (max (triu (back_tired, 1))), ...
        max (abs (back_tired(it,:) - back_wide(it,:))), back_tired(it,at ('animal')), ...
        back_tired(it,at ('street')));
assert (triu (back_tired, 1), zeros (size (back_tired)));
assert (back_tired(it,:), back_wide(it,:));
fig = new_picture (1500, 560);
attention_heatmap (second, tokens, 'Title', 'head 2: the previous word', 'Colorbar', 'off', ...
                   'Limits', [0 1], 'Parent', subplot (1, 3, 1));
attention_heatmap (back_tired, tokens, 'Title', 'look back only, ... too tired', 'Colorbar', ...
                   'off', 'Limits', [0 1], 'Parent', subplot (1, 3, 2));
attention_heatmap (back_wide, tokens_wide, 'Title', 'look back only, ... too wide', ...
                   'Limits', [0 1], 'Parent', subplot (1, 3, 3));
save_picture (fig, 'tired_wide_look_back.png');

% ---- Part 2: a trained model ----

about = gpt2_info ();
sentence = @(word) ['The animal didn''t cross the street because it was too ' word];
[A, tokens] = gpt2_attn (sentence ('tired'));
[B, tokens_wide] = gpt2_attn (sentence ('wide'));
at = @(word) find (strcmp (tokens, [' ' word]));
T = numel (tokens);
it = at ('it');
same = all (all (A(it,:,:) == B(it,:,:), 2), 3);
printf (['\nA trained model, %s, %d layers x %d heads, which only looks back: in all %d heads\n' ...
         'the row of ''it'' is the same in both sentences, %s. A token is computed\n' ...
         'from itself and what stands before it, and up to there it is the same text.\n'], ...
        about.title, about.layers, about.heads, about.layers * about.heads, ...
        {'not bit for bit', 'bit for bit'}{1 + same});
assert (same);
assert (A(1:T-1,:), B(1:T-1,:));

noun = gpt2_heads (sentence ('tired'), it, at ('animal'), 'Count', 1);
name = sprintf ('layer %d, head %d', noun);
printf ('The head that looks most from ''it'' to ''animal'':\n');
attention_row (A(:,:,noun(2),noun(1)), tokens, it, 'Title', ['tired: ' name], 'Draw', 'off');
attention_row (B(:,:,noun(2),noun(1)), tokens, it, 'Title', ['wide:  ' name], 'Draw', 'off');

% What the last word changes: how much more does its row look at the noun that it fits?
gain = squeeze (A(T,at ('animal'),:,:) - B(T,at ('animal'),:,:) ...
                + B(T,at ('street'),:,:) - A(T,at ('street'),:,:));
[most, k] = max (gain(:));
[head, layer] = ind2sub (size (gain), k);
name = sprintf ('layer %d, head %d', layer, head);
printf (['Only the row of the last word differs.  It moves most from ''animal'' to ''street'' ' ...
         'in:\n']);
attention_row (A(:,:,head,layer), tokens, T, 'Title', ['tired: ' name], 'Draw', 'off');
attention_row (B(:,:,head,layer), tokens_wide, T, 'Title', ['wide:  ' name], 'Draw', 'off');
fig = new_picture (1150, 760);
attention_compare (A(:,:,head,layer), tokens, B(:,:,head,layer), tokens_wide, 'Token', T, ...
                   'Titles', {'... too tired', '... too wide'}, ...
                   'Title', [about.title ', ' name]);
save_picture (fig, 'tired_wide_model.png');

% And what the model says next, when the sentence goes on with ". The", where a noun has to follow.
p = zeros (2);
for k = 1:2
  passage = [sentence({'tired', 'wide'}{k}) '. The'];
  p(:,k) = [probability(passage, ' animal', about); probability(passage, ' street', about)];
end
printf ('Next word after the sentence and "The":   tired    wide\n');
printf ('                          P(animal)     %7.2g %7.2g\n', p(1,:));
printf ('                          P(street)     %7.2g %7.2g\n', p(2,:));
odds = p(1,:) ./ p(2,:);
printf (['After "tired" animal is %.2g times as likely as street, after "wide" %.2g times:\n' ...
         'the last word moves the odds by a factor of %.2g.\n'], odds, odds(1) / odds(2));
fig = new_picture (640, 440);
bar (p');
set (gca (), 'xtick', 1:2, 'xticklabel', {'... too tired. The', '... too wide. The'});
ylabel ('probability of the next word');
legend ('animal', 'street', 'location', 'northeast');
title ([strrep(about.title, '_', ' ') ': what comes next']);
save_picture (fig, 'tired_wide_next.png');
path (before);
