% The pictures of examples/gallery, drawn anew: make gallery.
% All with the bundled model, so that they are the same wherever they are drawn.

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));
save_here = @(fig, name) save_picture (fig, name, 'gallery');

sentence = @(word) ['The animal didn''t cross the street because it was too ' word];
[A, tokens] = gpt2_attn (sentence ('tired'), 'Model', 'mini');
noun = gpt2_heads (sentence ('tired'), ' it', ' animal', 'Count', 1, 'Model', 'mini');
W = A(:,:,noun(2),noun(1));
name = sprintf ('mini, layer %d, head %d', noun);

fig = new_picture (720, 600);
attention_heatmap (W, tokens, 'Title', name);
save_here (fig, 'heatmap.png');

fig = new_picture (640, 400);
attention_row (W, tokens, 'it', 'Title', name, 'Print', 'off');
save_here (fig, 'row.png');

fig = new_picture (560, 520);
attention_lines (W, tokens, 'Title', name);
save_here (fig, 'lines.png');

fig = new_picture (860, 800);
attention_heads (A, tokens, 'Title', 'mini: all heads of all layers');
save_here (fig, 'heads.png');

% The head whose row of the last word moves most from animal to street.
[B, tokens_wide] = gpt2_attn (sentence ('wide'), 'Model', 'mini');
T = numel (tokens);
gain = squeeze (A(T,2,:,:) - B(T,2,:,:) + B(T,7,:,:) - A(T,7,:,:));
[~, k] = max (gain(:));
[head, layer] = ind2sub (size (gain), k);
fig = new_picture (1060, 700);
attention_compare (A(:,:,head,layer), tokens, B(:,:,head,layer), tokens_wide, 'Token', T, ...
                   'Titles', {'... too tired', '... too wide'}, 'Title', ...
                   sprintf ('mini, layer %d, head %d', layer, head));
save_here (fig, 'compare.png');

% The same change in the illustration with hand-set queries and keys, which sees the whole sentence.
[words, Q, K, V] = attention_illustration ('tired', 1);
[~, W_tired] = attention (Q, K, V);
[words_wide, Q, K, V] = attention_illustration ('wide', 1);
[~, W_wide] = attention (Q, K, V);
fig = new_picture (1060, 700);
attention_compare (W_tired, words, W_wide, words_wide, 'Token', 'it', 'Titles', ...
                   {'... too tired', '... too wide'}, 'Title', 'set by hand, head 1');
save_here (fig, 'illustration.png');

% A text of many tokens.
passage = ['The dog didn''t cross the river because it was too deep. The cat didn''t enter the ' ...
           'garden because it was too muddy. The horse didn''t jump over the fence because it ' ...
           'was too high. The animal didn''t cross the street because it was too tired.'];
[long, many] = gpt2_attn (passage, noun(1), noun(2), 'Model', 'mini');
fig = new_picture (860, 760);
attention_heatmap (long, many, 'Title', sprintf ('%s, %d tokens', name, numel (many)));
save_here (fig, 'long.png');
path (before);
