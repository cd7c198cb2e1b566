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
%%   last       head whose last row finds the noun that the adjective fits: tired and wide (the
%%              classic sentences) and weight (mean over items)
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
  [classic.tired, tokens] = gpt2_attn (sentence ('tired'), 'Model', model);
  classic.wide = gpt2_attn (sentence ('wide'), 'Model', model);
  figures.noun = found (weights.subject);
  figures.noun.classic = at (classic.tired, figures.noun, find (strcmp (tokens, ' it')), 2);
  figures.previous = found (weights.previous);
  figures.last = found (min (weights.last_subject, weights.last_object));
  street = find (strcmp (tokens, ' street'));
  figures.last.tired = at (classic.tired, figures.last, numel (tokens), 2);
  figures.last.wide = at (classic.wide, figures.last, numel (tokens), street);
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
    [text, right] = item (items, i);
    logits = gpt2_logits ([text '. The'], 'Tokens', 'last', 'Model', model);
    id = @(word) gpt2_tokenize ([' ' word], 'Model', model)(1) + 1;
    better(i) = logits(id (items.ref{i})) > logits(id (items.other{i}));
    first(i) = logits(id (items.ref{i})) == max (logits);
  end
  referent = mean (better);
  exact = mean (first);
end

function [text, right] = item (items, i)
  text = sprintf ('The %s didn''t %s the %s because it was %s %s', items.subject{i}, ...
                  items.verb{i}, items.object{i}, items.degree{i}, items.adj{i});
  right = items.ref{i};
end

function mean_of = mean_weights (model, items)
%% Layer-by-head means of what the heads look at; last_* over the items about the subject, the
%% object.
  n = numel (items.adj);
  [subject, previous, last_subject, last_object] = deal (0);
  for i = 1:n
    [A, tokens] = gpt2_attn (item (items, i), 'Model', model);
    T = numel (tokens);
    it = find (strcmp (tokens, ' it'));
    object = find (strcmp (tokens, [' ' items.object{i}]), 1);
    subject = subject + per_head (A(it,2,:,:));
    previous = previous + per_head (mean_before (A, T));
    if items.first(i)
      last_subject = last_subject + per_head (A(T,2,:,:));
    else
      last_object = last_object + per_head (A(T,object,:,:));
    end
  end
  mean_of.subject = subject / n;
  mean_of.previous = previous / n;
  mean_of.last_subject = last_subject / sum (items.first);
  mean_of.last_object = last_object / sum (~items.first);
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
