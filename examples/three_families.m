% Three families of transformers, as three masks.
%
% An encoder (BERT) reads in both directions, a decoder (GPT) only looks back, and an
% encoder-decoder (the original Transformer) has a decoder that also looks at all of the encoder's
% output: cross attention.  The arithmetic is the same each time; only who may see whom differs.
% Run it from anywhere:  octave-cli examples/three_families.m

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));

% Five source tokens and four target tokens, each a vector of four invented numbers; words that mean
% the same have the same one.
source_tokens = {'der', 'Hund', 'ist', 'sehr', 'müde'};
target_tokens = {'the', 'dog', 'is', 'tired'};
X = 2.5 * [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0.5 0.5; 0 0 0 1];
Z = X([1 2 3 5],:);

% Encoder: no mask.  Every row has weights everywhere.
[Y_encoder, W_encoder] = attention (X, X, X);
printf ('encoder: every token sees all %d tokens; smallest weight %.2f\n', rows (X), ...
        min (W_encoder(:)));
assert (all (W_encoder(:) > 0));

% Decoder: causal.  The weights form a triangle, and a later token changes no earlier row.
[~, W_decoder] = attention (Z, Z, Z, 'causal');
later = Z;
later(4,:) = [0 5 -3 1];
[~, W_changed] = attention (later, later, later, 'causal');
printf (['decoder: weights above the diagonal are %g; changing the last token changes the rows ' ...
         'before by %g\n'], max (max (triu (W_decoder, 1))), ...
        max (max (abs (W_changed(1:3,:) - W_decoder(1:3,:)))));
assert (triu (W_decoder, 1), zeros (4));
assert (W_changed(1:3,:), W_decoder(1:3,:));

% Encoder-decoder: the queries come from the target, keys and values from the encoder's output.
[Y_cross, W_cross] = attention (Z, Y_encoder, Y_encoder);
printf ('cross attention: %d target tokens look at %d source tokens, the result has %d rows\n', ...
        size (W_cross), rows (Y_cross));
[~, most] = max (W_cross, [], 2);
printf ('%s looks most at %s\n', [target_tokens; source_tokens(most)]{:});
assert (size (W_cross), [4 5]);
assert (most', [1 2 3 5]);
assert (sum (W_cross, 2), ones (4, 1), 4 * eps);

fig = new_picture (1200, 420);
common = {'Limits', [0 1], 'Colorbar', 'off', 'Title'};
attention_heatmap (W_encoder, source_tokens, common{:}, 'encoder: no mask', ...
                   'Parent', subplot (1, 3, 1));
attention_heatmap (W_decoder, target_tokens, common{:}, 'decoder: causal', ...
                   'Parent', subplot (1, 3, 2));
attention_heatmap (W_cross, {target_tokens, source_tokens}, common{:}, 'cross attention', ...
                   'Parent', subplot (1, 3, 3));
save_picture (fig, 'three_families.png');
path (before);
