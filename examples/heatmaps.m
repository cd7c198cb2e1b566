% The pictures of attention: one head, all heads, lines, two sentences, and a long text.
% Every weight comes from the model that gpt2_attn finds (see its help).
% Run it from anywhere:  octave-cli examples/heatmaps.m

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));

about = gpt2_info ();
sentence = 'The animal didn''t cross the street because it was too tired';
[A, tokens] = gpt2_attn (sentence);
printf ('%s on %d tokens: %d-by-%d weights for each of %d heads in each of %d layers\n', ...
        about.title, numel (tokens), size (A));

% One head, in the article's case the one that looks most from 'it' to the animal.
best = gpt2_heads (sentence, ' it', ' animal', 'Count', 1);
W = A(:,:,best(2),best(1));
name = sprintf ('%s, layer %d, head %d', about.title, best);
fig = new_picture (800, 640);
attention_heatmap (W, tokens, 'Title', name);
save_picture (fig, 'heatmaps_one.png');
printf ('each row adds up to 1, within %.0e; nothing above the diagonal: %g\n', ...
        max (abs (sum (W, 2) - 1)), max (max (triu (W, 1))));
assert (sum (W, 2), ones (size (W, 1), 1, 'single'), 1e-5);
assert (triu (W, 1), zeros (size (W), 'single'));

% All heads: the eye finds the columns (one token that all look at) and the diagonals (the word
% itself, the word before).
fig = new_picture (1000, 900);
attention_heads (A, tokens, 'Title', [about.title ', all heads of all layers']);
save_picture (fig, 'heatmaps_all.png');

% Lines: the same head, and only what leaves 'it'.
fig = new_picture (1000, 560);
attention_lines (W, tokens, 'Title', name, 'Colorbar', 'off', 'Parent', subplot (1, 2, 1));
attention_lines (W, tokens, 'Title', [name ', from ''it'''], 'From', 'it', 'Parent', ...
                 subplot (1, 2, 2));
save_picture (fig, 'heatmaps_lines.png');

% Two sentences that differ in the last word: only its row differs.  The head in which it does most.
[A, tokens] = gpt2_attn (sentence);
[B, other] = gpt2_attn (strrep (sentence, 'tired', 'wide'));
T = numel (tokens);
change = squeeze (max (abs (A(T,:,:,:) - B(T,:,:,:)), [], 2));
[~, k] = max (change(:));
[head, layer] = ind2sub (size (change), k);
fig = new_picture (1150, 760);
attention_compare (A(:,:,head,layer), tokens, B(:,:,head,layer), other, 'Token', T, ...
                   'Titles', {'... too tired', '... too wide'}, 'Title', ...
                   sprintf ('%s, layer %d, head %d', about.title, layer, head));
save_picture (fig, 'heatmaps_compare.png');
printf (['rows before the word that differs change by %g from one sentence to the other, the ' ...
         'last by up to %.2f\n'], max (abs (A(1:T-1,:) - B(1:T-1,:))(:)), max (change(:)));
assert (A(1:T-1,:), B(1:T-1,:));

% A long text: the labels get smaller; where there is still no room for all, some are left out.
passage = ['The animal didn''t cross the street because it was too tired. The dog didn''t ' ...
           'cross the river because it was too deep. The cat didn''t enter the garden because ' ...
           'it was too muddy. The horse didn''t jump over the fence because it was too high. ' ...
           'The animal was hungry.'];
[long, many] = gpt2_attn (passage, best(1), best(2));
fig = new_picture (900, 800);
attention_heatmap (long, many, 'Title', name);
save_picture (fig, 'heatmaps_long.png');
printf ('the long text has %d tokens, so %d weights in this one head\n', numel (many), ...
        numel (long));
path (before);
