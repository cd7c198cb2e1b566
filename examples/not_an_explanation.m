% Attention shows where a head looked.  It does not explain the answer.
%
% Three experiments on the next word of a sentence (after Jain and Wallace, Attention is not
% Explanation, 2019, who did them on models with a single layer of attention):
%   1. shuffle the weights of one head and see how far the prediction moves,
%   2. switch the head off,
%   3. compare where the last token looks with what happens when each word is left out.
% How far: half the sum of the absolute changes of all probabilities, 0 = the same, 1 = nothing in
% common.  Run it from anywhere:  octave-cli examples/not_an_explanation.m

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));
1;

function p = next_word (text, varargin)
  logits = double (gpt2_logits (text, 'Tokens', 'last', varargin{:}));
  p = exp (logits - max (logits));
  p = p / sum (p);
end

% The weights of each row in another order, among the tokens that it can see.
function W = shuffled (W)
  for t = 1:rows (W)
    W(t,1:t) = W(t,randperm (t));
  end
end

about = gpt2_info ();
sentence = 'The animal didn''t cross the street because it was too tired. The';
how_far = @(p, q) sum (abs (p - q)) / 2;
[A, tokens] = gpt2_attn (sentence);
[L, H, T] = deal (about.layers, about.heads, numel (tokens));
p = next_word (sentence);
[top, id] = max (p);
word = strtrim (gpt2_detokenize (id - 1, 'Model', about.folder));
printf ('%s: "%s" goes on with "%s", probability %.3f\n', about.title, sentence, word, top);

% A check first: a head's own weights in its place change nothing but rounding.
own = how_far (p, next_word (sentence, 'Attention', {1, 1, A(:,:,1,1)}));
assert (own < 1e-4);

% ---- 1. and 2. ----

state = rand ('twister');
rand ('twister', 1);
[moved, weights, off] = deal (zeros (L, H));
[kept, kept_off] = deal (false (L, H));
for layer = 1:L
  for head = 1:H
    W = A(:,:,head,layer);
    S = shuffled (W);
    q = next_word (sentence, 'Attention', {layer, head, S});
    moved(layer,head) = how_far (p, q);
    weights(layer,head) = mean (sum (abs (S - W), 2)) / 2;
    kept(layer,head) = q(id) == max (q);
    q = next_word (sentence, 'Ablate', [layer head]);
    off(layer,head) = how_far (p, q);
    kept_off(layer,head) = q(id) == max (q);
  end
end
rand ('twister', state);
n = L * H;
printf (['\n1. The weights of one head shuffled, each of the %d heads in turn: the weights\n' ...
         '   move by %.2f on average, the prediction by %.3f (median %.3f, most %.2f).\n' ...
         '   "%s" stays the likeliest word for %d of %d heads.\n'], ...
        n, mean (weights(:)), mean (moved(:)), median (moved(:)), max (moved(:)), word, ...
        sum (kept(:)), n);
printf (['2. One head switched off: the prediction moves by %.3f (median %.3f, most %.2f).\n' ...
         '   "%s" stays the likeliest word for %d of %d heads.\n'], ...
        mean (off(:)), median (off(:)), max (off(:)), word, sum (kept_off(:)), n);
best = gpt2_heads (sentence, ' it', ' animal', 'Count', 1);
printf (['   The head that looks most from ''it'' to ''animal'' is layer %d, head %d,\n' ...
         '   weight %.2f: shuffled it moves the prediction by %.3f, switched off by %.3f.\n' ...
         '   %d of the other %d heads matter more when switched off.\n'], best, ...
        A(find (strcmp (tokens, ' it')),2,best(2),best(1)), moved(best(1),best(2)), ...
        off(best(1),best(2)), sum (off(:) > off(best(1),best(2))), n - 1);
assert (all (moved(:) >= 0 & moved(:) <= 1) && all (off(:) >= 0 & off(:) <= 1));

% ---- 3. ----

sentences = {sentence, strrep(sentence, 'tired', 'wide'), ...
         'The dog didn''t cross the river because it was too deep. The', ...
         'The horse didn''t jump over the fence because it was too high. The', ...
         'The cat didn''t eat the cake because it was too sweet. The'};
tau = zeros (size (sentences));
each = zeros (n, numel (sentences));
for k = 1:numel (sentences)
  ids = gpt2_tokenize (sentences{k}, 'Model', about.folder);
  last = numel (ids);
  attention_k = gpt2_attn (ids);
  p_k = next_word (ids);
  importance = zeros (1, last - 1);
  for t = 1:last - 1
    importance(t) = how_far (p_k, next_word (ids([1:t-1, t+1:last])));
  end
  looks = double (reshape (attention_k(last,1:last-1,:,:), last - 1, n));
  average = mean (looks, 2);
  tau(k) = kendall (average, importance');
  for h = 1:n
    each(h,k) = kendall (looks(:,h), importance');
  end
  if (k == 1)
    first = struct ('looks', average, 'importance', importance);
  end
end
each = mean (each, 2);
printf (['3. Where the last token looks (mean of all heads) against what leaving each word\n' ...
         '   out does: rank correlation %.2f on average over %d sentences (%.2f to %.2f);\n' ...
         '   1 would be the same order, 0 no relation. Head by head from %.2f to %.2f,\n' ...
         '   median %.2f.\n'], ...
        mean (tau), numel (sentences), min (tau), max (tau), min (each), max (each), median (each));
[~, a] = max (first.looks);
[~, b] = max (first.importance);
printf ('   In the first sentence it looks most at "%s"; leaving out "%s" changes most.\n', ...
        strtrim (tokens{a}), strtrim (tokens{b}));
assert (all (abs (tau) <= 1));
printf (['\nThe weights are evidence of what a part of the model does, not the reason for its ' ...
         'answer.\n']);

fig = new_picture (1400, 460);
names = {arrayfun(@(k) sprintf ('%d', k), 1:L, 'UniformOutput', false), ...
         arrayfun(@(k) sprintf ('%d', k), 1:H, 'UniformOutput', false)};
common = {'XLabel', 'head', 'YLabel', 'layer', 'Limits', [0 1], 'Parent'};
attention_heatmap (moved, names, 'Title', 'weights shuffled: change of the prediction', ...
                   'Colorbar', 'off', common{:}, subplot (1, 3, 1));
attention_heatmap (off, names, 'Title', 'head off: change of the prediction', common{:}, ...
                   subplot (1, 3, 2));
axes ('position', [0.72, 0.14, 0.26, 0.76]);
semilogy (first.looks, first.importance, 'o', 'markersize', 4, 'markerfacecolor', [0 0.3 0.7]);
xlim ([0, 1.3 * max(first.looks)]);
for t = 1:T - 1
  text (first.looks(t) + 0.02 * max (first.looks), first.importance(t), strtrim (tokens{t}), ...
        'interpreter', 'none');
end
xlabel ('attention of the last token');
ylabel ('change when the word is left out');
title (sprintf ('rank correlation %.2f', tau(1)));
save_picture (fig, 'not_an_explanation.png');
path (before);
