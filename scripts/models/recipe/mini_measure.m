%% figures = mini_measure (model, n)
%% What the bundled model can do, measured on N (300) situations whose two nouns never meet in its
%% training text, and the heads found by search; MODEL is 'mini' or a folder.
%%
%% A situation is "The SUBJECT didn't VERB the OBJECT because it was DEGREE ADJ. The": the next word
%% should be the noun that the adjective fits.  Figures:
%%   referent   share of the items in which that noun is likelier than the other one
%%   exact      share in which it is the likeliest of all tokens
%%   unseen_use the share `referent` where the pair is known but not the adjective with its noun
%%   noun       head whose row of 'it' looks most at the subject: layer, head, weight (mean over
%%              the items, which share this row whatever follows) and on the classic sentence
%%   previous   head that looks most at the word before: weight (mean over all rows)
%%   last       head whose row of the adjective, the last word, finds the noun that it fits:
%%              tired and wide (the classic sentences) and weight (mean over items)
%%   next       probabilities of animal after "tired" and street after "wide"
%% The state of rand is as before afterwards.

function figures = mini_measure (model, n)
  if nargin < 2
    n = 300;
  end
  state = rand ('twister');
  restore = onCleanup (@() rand ('twister', state));
  rand ('twister', 12345);
  lex = mini_lexicon ();
  items = mini_items (lex, n, 'pair');
  [figures.referent, figures.exact] = prefer (model, items);
  figures.unseen_use = prefer (model, mini_items (lex, n, 'use'));
  weights = mean_weights (model, items);
  [classic, tokens] = gpt2_attn (sentence ('tired'), 'Model', model);
  figures.noun = found (weights.subject);
  figures.noun.classic = at (classic, figures.noun, find (strcmp (tokens, ' it')), 2);
  figures.previous = found (weights.previous);
  figures.last = on_classics (found (min (weights.last_subject, weights.last_object)), model);
  figures.next.animal = probability (model, [sentence('tired') '. The'], ' animal');
  figures.next.street = probability (model, [sentence('wide') '. The'], ' street');
end

function text = sentence (adjective)
  text = ['The animal didn''t cross the street because it was too ' adjective];
end

function [referent, exact] = prefer (model, items)
  n = numel (items.adj);
  [better, first] = deal (false (n, 1));
  for i = 1:n
    logits = gpt2_logits ([item(items, i) '. The'], 'Tokens', 'last', 'Model', model);
    id = @(word) gpt2_tokenize ([' ' word], 'Model', model)(1) + 1;
    better(i) = logits(id (items.ref{i})) > logits(id (items.other{i}));
    first(i) = logits(id (items.ref{i})) == max (logits);
  end
  referent = mean (better);
  exact = mean (first);
end

function text = item (items, i)
  text = sprintf ('The %s didn''t %s the %s because it was %s %s', items.subject{i}, ...
                  items.verb{i}, items.object{i}, items.degree{i}, items.adj{i});
end

function best = on_classics (best, model)
%% Adds the weight of the head's last row on animal (tired) and on street (wide).
  [A, tokens] = gpt2_attn (sentence ('tired'), 'Model', model);
  best.tired = at (A, best, numel (tokens), find (strcmp (tokens, ' animal')));
  A = gpt2_attn (sentence ('wide'), 'Model', model);
  best.wide = at (A, best, numel (tokens), find (strcmp (tokens, ' street')));
end

function mean_of = mean_weights (model, items)
%% Layers-by-heads means of what the heads look at; last_subject, last_object over the items about
%% them.
  n = numel (items.adj);
  names = {'subject', 'previous', 'last_subject', 'last_object'};
  mean_of = cell2struct (repmat ({0}, size (names)), names, 2);
  for i = 1:n
    [A, tokens] = gpt2_attn (item (items, i), 'Model', model);
    T = numel (tokens);
    it = find (strcmp (tokens, ' it'));
    mean_of.subject = mean_of.subject + per_head (A(it,2,:,:)) / n;
    mean_of.previous = mean_of.previous + per_head (mean_before (A, T)) / n;
    if items.first(i)
      last = 'last_subject';
      noun = 2;
      of = sum (items.first);
    else
      last = 'last_object';
      noun = find (strcmp (tokens, [' ' items.object{i}]), 1);
      of = sum (~items.first);
    end
    mean_of.(last) = mean_of.(last) + per_head (A(T,noun,:,:)) / of;
  end
end

function before = mean_before (A, T)
  before = 0;
  for i = 2:T
    before = before + A(i,i-1,:,:) / (T - 1);
  end
end

function values = per_head (page)
%% 1-by-1-by-heads-by-layers to layers-by-heads.
  values = double (permute (page, [4 3 1 2]));
end

function best = found (weights)
  [weight, k] = max (weights(:));
  [layer, head] = ind2sub (size (weights), k);
  best = struct ('layer', layer, 'head', head, 'weight', weight);
end

function weight = at (A, best, i, j)
  weight = double (A(i,j,best.head,best.layer));
end

function p = probability (model, text, word)
  logits = double (gpt2_logits (text, 'Tokens', 'last', 'Model', model));
  p = exp (logits - max (logits));
  p = p(gpt2_tokenize (word, 'Model', model)(1) + 1) / sum (p);
end
