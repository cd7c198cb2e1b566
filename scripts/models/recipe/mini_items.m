%% c = mini_items (lex, n, mode)
%% N situations with two nouns, a verb between them and an adjective that fits exactly one of them.
%%
%% MODE 'train': pairs that may be trained on; 'pair': noun pairs never seen together in training;
%% 'use': pairs seen, but the adjective never seen with its noun.
%% C has cellstr columns (n-by-1): subject, object, ref (what the adjective is about), other, adj,
%% verb, past, act, degree, refused, and the columns first (true: ref is the subject), scheme.

function c = mini_items (lex, n, mode)
  [a, b, ref, other, adj, scheme] = deal (zeros (n, 1));
  todo = (1:n)';
  while ~isempty (todo)
    m = numel (todo);
    s = draw ([lex.scheme.weight], m);
    i = noun_of (lex, [lex.scheme(s).subject]', m);
    j = noun_of (lex, [lex.scheme(s).object]', m);
    k = 1 + floor (numel (lex.adjective) * rand (m, 1));
    first = rand (m, 1) < 0.5;
    r = i;
    r(~first) = j(~first);
    o = j;
    o(~first) = i(~first);
    good = at (lex.fits, r, k) & ~at (lex.fits, o, k) ...
           & at (lex.pair_held, i, j) == strcmp (mode, 'pair') ...
           & at (lex.use_held, r, k) == strcmp (mode, 'use');
    put = todo(good);
    a(put) = i(good);
    b(put) = j(good);
    ref(put) = r(good);
    other(put) = o(good);
    adj(put) = k(good);
    scheme(put) = s(good);
    todo = todo(~good);
  end
  c.subject = lex.noun(a);
  c.object = lex.noun(b);
  c.ref = lex.noun(ref);
  c.other = lex.noun(other);
  c.adj = lex.adjective(adj);
  c.first = ref == a;
  c.scheme = scheme;
  c.degree = fill_templates ({1, '{too|too|too|too|very|so|really|quite|far too|much too}'}, ...
    struct (), n);
  c.refused = fill_templates ({1, ['{didn''t|didn''t|didn''t|couldn''t|wouldn''t|did ' ...
    'not|could not|would not|never wanted to|refused to|decided not to|was unable ' ...
      'to|failed to}']}, struct (), n);
  [c.verb, c.past, c.act] = deal (cell (n, 1));
  for s = 1:numel (lex.scheme)
    mine = find (scheme == s);
    v = draw (ones (columns (lex.scheme(s).verbs), 1), numel (mine));
    c.verb(mine) = lex.scheme(s).verbs(1, v);
    c.past(mine) = lex.scheme(s).verbs(2, v);
  end
  for k = 1:numel (lex.class)
    mine = find (lex.noun_class(ref) == k);
    c.act(mine) = lex.action{k}(draw (ones (numel (lex.action{k}), 1), numel (mine)));
  end
end

function noun = noun_of (lex, class, m)
  noun = zeros (m, 1);
  for k = unique (class)'
    mine = class == k;
    members = find (lex.noun_class == k);
    noun(mine) = members(draw (ones (size (members)), sum (mine)));
  end
end

function values = at (matrix, i, j)
  values = matrix(sub2ind (size (matrix), i, j));
end
