% What different heads do, and how layers differ.
%
% For each kind of looking (the word before, the first token, the same word, the noun of 'it') all
% heads of the model are searched for the one that does it most clearly.  Then early layers are
% compared with late ones: how far back they look, and at how many tokens.
% Run it from anywhere:  octave-cli examples/heads_and_layers.m

here = fileparts (mfilename ('fullpath'));
before = addpath (here, fullfile (here, '..', 'scripts'));

about = gpt2_info ();
passage = ['The animal didn''t cross the street because it was too tired. ' ...
           'The dog didn''t cross the river because it was too tired.'];
[A, tokens] = gpt2_attn (passage);
T = numel (tokens);
H = about.heads;
L = about.layers;

% ---- what the heads look at ----

% wanted.NAME(i,j) is true where a head of that kind looks from token i at token j.
kinds = {'itself', 'previous', 'first', 'same', 'noun'; ...
         'the token itself', 'the token before', 'the first token', 'the same word, earlier', ...
         'from ''it'' its noun'};
wanted.itself = eye (T) == 1;
wanted.previous = diag (ones (1, T - 1), -1) == 1;
wanted.first = [true(T, 1), false(T, T - 1)];
wanted.first(1:2,:) = false;                 % token 1 can do nothing else, for 2 it is the previous
wanted.same = cellfun (@(a, b) strcmp (a, b), repmat (tokens', 1, T), repmat (tokens, T, 1));
wanted.same = tril (wanted.same, -1);
wanted.noun = false (T);
its = find (strcmp (tokens, ' it'));
wanted.noun(its(1),strcmp (tokens, ' animal')) = true;
wanted.noun(its(2),strcmp (tokens, ' dog')) = true;

% The weight on what is wanted, averaged over the rows that want something.
weight_on = @(W, want) sum (double (W(want))) / sum (any (want, 2));
equal = tril (ones (T)) ./ (1:T)';           % a head that looks at all it can see alike

printf ('%s, %d layers x %d heads, a text of %d tokens\n\n', about.title, L, H, T);
printf ('%-24s %13s %9s %11s %9s\n', 'looks at', 'clearest head', 'weight', 'median head', ...
        'if equal');
best = zeros (columns (kinds), 2);
for k = 1:columns (kinds)
  want = wanted.(kinds{1,k});
  weight = zeros (L, H);
  for layer = 1:L
    for head = 1:H
      weight(layer,head) = weight_on (A(:,:,head,layer), want);
    end
  end
  [most, at] = max (weight(:));
  [best(k,1), best(k,2)] = ind2sub ([L H], at);
  printf ('%-24s %6d, %5d %9.2f %11.2f %9.2f\n', kinds{2,k}, best(k,:), most, ...
          median (weight(:)), weight_on (equal, want));
  assert (most >= weight_on (equal, want));
end
printf (['\n(clearest head: layer, head. "If equal": a head that looks at all tokens it can\n' ...
         'see alike; a head stands out only as far as it is above that.)\n']);
printf ('The %d kinds have %d different clearest heads.\n', columns (kinds), ...
        rows (unique (best, 'rows')));

fig = new_picture (1300, 1150);
for k = 2:5
  attention_heatmap (A(:,:,best(k,2),best(k,1)), tokens, 'Limits', [0 1], 'Colorbar', 'off', ...
                     'Values', 'off', 'Title', ...
                     sprintf ('%s: layer %d, head %d', kinds{2,k}, best(k,:)), ...
                     'Parent', subplot (2, 2, k - 1));
end
save_picture (fig, 'heads_and_layers_roles.png');

% ---- early and late layers ----

% Mean over all rows of how many tokens back a head looks, and of how many tokens share the weight:
% 2 to the power of the entropy in bits, 1 for a head that looks at one token only.
[from, to] = ndgrid (1:T, 1:T);
distance = @(W) sum (sum (W .* (from - to))) / T;
spread = @(W) mean (2 .^ -sum (W .* log2 (max (W, realmin ())), 2));
[far, many] = deal (zeros (L, H));
for layer = 1:L
  for head = 1:H
    W = double (A(:,:,head,layer));
    far(layer,head) = distance (W);
    many(layer,head) = spread (W);
  end
end
printf ('\nlayer   tokens back: mean of heads (least to most)   tokens sharing the weight\n');
for layer = 1:L
  printf ('%5d %14.1f  (%4.1f to %4.1f) %25.1f  (%4.1f to %4.1f)\n', layer, mean (far(layer,:)), ...
          min (far(layer,:)), max (far(layer,:)), mean (many(layer,:)), min (many(layer,:)), ...
          max (many(layer,:)));
end
printf ('equal %14.1f %40.1f\n', distance (equal), spread (equal));
half = floor (L / 2);
early = [mean(far(1:half,:)(:)), mean(many(1:half,:)(:))];
late = [mean(far(L-half+1:L,:)(:)), mean(many(L-half+1:L,:)(:))];
% Differences of less than a tenth are not called one.
change = 2 + (late > 1.1 * early) - (late < early / 1.1);
printf (['The first %d layers look %.1f tokens back on average and share the weight among\n' ...
         '%.1f tokens, the last %d layers %.1f and %.1f: in this model late layers look %s,\n' ...
         'and at %s tokens.\n'], half, early, half, late, ...
        {'nearer', 'about as far', 'farther'}{change(1)}, ...
        {'fewer', 'about as many', 'more'}{change(2)});
assert (all (many(:) >= 1 - 1e-4) && all (many(:) <= T));

fig = new_picture (1000, 420);
panels = {far, 'tokens back', distance(equal), 'How far back the heads look'; ...
          many, 'tokens', spread(equal), 'How many tokens share the weight'};
for k = 1:2
  axes ('position', [0.08 + 0.49 * (k - 1), 0.14, 0.41, 0.76]);
  h = plot (repmat ((1:L)', 1, H)(:), panels{k,1}(:), 'o', 'color', [0.45 0.65 0.85], ...
            'markerfacecolor', [0.45 0.65 0.85], 'markersize', 4, ...
            1:L, mean (panels{k,1}, 2), '-', 'color', [0.05 0.25 0.5], 'linewidth', 2, ...
            [1 L], panels{k,3} * [1 1], 'k--');
  xlim ([0.5, L + 0.5]);
  ylim ([0, 1.3 * max([panels{k,1}(:); panels{k,3}])]);
  set (gca (), 'xtick', 1:L);
  xlabel ('layer');
  ylabel (panels{k,2});
  title (panels{k,4});
  if (k == 2)
    legend (h, 'heads', 'mean', 'equal weights', 'location', 'northwest', 'orientation', ...
            'horizontal');
  end
end
save_picture (fig, 'heads_and_layers_layers.png');
path (before);
