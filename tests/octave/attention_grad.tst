% Gradients of attention: PyTorch's, central differences, properties; through the compiled function
% and the reference in attention_grad.m.

%!shared versions, guard
%! [versions, guard] = attention_versions ('attention_grad');

% All three gradients in a cell row.
%!function g = gradients (f, varargin)
%!  g = cell (1, 3);
%!  [g{:}] = f(varargin{:});
%!endfunction

% Each gradient within TOL times its largest element.
%!function agree (got, expected, tol)
%!  for n = 1:3
%!    assert (double (got{n}), expected{n}, tol * max (1, max (abs (expected{n}(:)))));
%!  end
%!endfunction

%!assert (exist ('attention_grad'), 3)

% ---- results ------------------------------------------------------------------------------------

%!test
%! cases = attention_fixture ();
%! for c = cases
%!   for f = versions
%!     g = gradients (f{1}, c.Q, c.K, c.V, c.dY, c.options{:});
%!     agree (g, {c.dQ, c.dK, c.dV}, 1e-12);
%!   end
%! end
%! assert (numel (cases), 36);
%! assert (unique ({cases.mask_kind}), {'additive', 'causal', 'logical', 'none'});

%!test
%! % Every set of instructions that this processor has; a name that it does not have is passed over.
%! before = getenv ('ATTN_KERNEL');
%! restore = onCleanup (@() setenv ('ATTN_KERNEL', before));
%! for isa = {'reference', 'generic', 'avx2', 'avx512'}
%!   setenv ('ATTN_KERNEL', isa{1});
%!   for c = attention_fixture ()
%!     g = gradients (@attention_grad, c.Q, c.K, c.V, c.dY, c.options{:});
%!     agree (g, {c.dQ, c.dK, c.dV}, 1e-12);
%!   end
%! end

%!test
%! % Single: a score is off by at most (d + 2)*eps*max|Q|*|K|'*scale, which is the relative error of
%! % a weight; dS has two factors of that kind, and the sums add (Nk + dv)*eps of |dY|*|V|'.
%! for c = attention_fixture ()
%!   d = size (c.Q, 2);
%!   place = find (strcmp (c.options, 'Scale'));
%!   scale = 1 / sqrt (d);
%!   if (! isempty (place))
%!     scale = c.options{place+1};
%!   end
%!   largest = max (max (abs (scale) * abs (c.Q) * abs (c.K)'));
%!   place = find (strcmp (c.options, 'Mask'));
%!   if (! isempty (place) && ! islogical (c.options{place+1}))
%!     largest = largest + max (abs (c.options{place+1}(:)));
%!   end
%!   sizes = max (1, max (max (abs (c.dY) * abs (c.V)'))) * ...
%!           max ([1; abs(c.Q(:)); abs(c.K(:)); abs(c.dY(:))]);
%!   tol = eps ('single') * (4 * (d + 2) * largest + sum (size (c.V)) + 8) * sizes;
%!   for f = versions
%!     g = gradients (f{1}, single (c.Q), single (c.K), single (c.V), single (c.dY), c.options{:});
%!     assert (cellfun (@class, g, 'UniformOutput', false), {'single', 'single', 'single'});
%!     agree (g, {c.dQ, c.dK, c.dV}, tol);
%!   end
%! end

%!test
%! % Central differences with steps of 1e-5: an error of about 1e-10 from the third derivative and
%! % eps*|loss|/1e-5 = 1e-9 from rounding.
%! restore = seeded (1);
%! calls = {
%!   [4, 3, 1, 1], [5, 3, 1, 1], [5, 2, 1, 1], {}
%!   [4, 3, 1, 1], [5, 3, 1, 1], [5, 2, 1, 1], {'causal', 'Scale', 0.7}
%!   [6, 2, 1, 1], [4, 2, 1, 1], [4, 1, 1, 1], {'causal'}
%!   [5, 3, 1, 1], [7, 3, 1, 1], [7, 2, 1, 1], {'Window', [2, 1], 'Scale', -1.3}
%!   [4, 2, 1, 1], [5, 2, 1, 1], [5, 3, 1, 1], {'Mask', rand(4, 5) < 0.6}
%!   [4, 2, 1, 1], [5, 2, 1, 1], [5, 3, 1, 1], {'Mask', randn(1, 5), 'causal'}
%!   [3, 2, 4, 1], [4, 2, 2, 1], [4, 2, 2, 1], {'Mask', rand(3, 4, 4) < 0.7}
%!   [3, 2, 2, 3], [4, 2, 1, 3], [4, 1, 1, 3], {'causal'}
%!   [3, 8, 1, 1], [4, 4, 1, 1], [4, 6, 1, 1], {4, 'causal'}
%!   [3, 6, 2, 1], [3, 2, 1, 1], [3, 1, 1, 1], {'NumHeads', 3, 'Mask', randn(3, 3, 3, 2)}
%!   [4, 3, 1, 1], [5, 3, 1, 1], [5, 2, 1, 1], {'Scale', 0}
%! };
%! h = 1e-5;
%! for n = 1:rows (calls)
%!   in = {randn(calls{n,1}), randn(calls{n,2}), randn(calls{n,3})};
%!   options = calls{n,4};
%!   dY = randn (size (attention (in{:}, options{:})));
%!   for f = versions
%!     g = gradients (f{1}, in{:}, dY, options{:});
%!     for m = 1:3
%!       assert (size (g{m}), size (in{m}));
%!       for i = 1:numel (in{m})
%!         above = below = in;
%!         above{m}(i) = above{m}(i) + h;
%!         below{m}(i) = below{m}(i) - h;
%!         change = dY .* (attention (above{:}, options{:}) - attention (below{:}, options{:}));
%!         assert (g{m}(i), sum (change(:)) / (2 * h), 1e-7);
%!       end
%!     end
%!   end
%! end

%!test
%! % Masks at the end of the range: equal ones share, the others still differ.
%! restore = seeded (4);
%! ends = -realmax * [1, 1, 1; 1, 0.9, 1; 0.9, 0.95, 0.9; 1, 0.2, 1];
%! alike = [zeros(1, 3); -Inf, 0, -Inf; 0, -Inf, 0; -Inf, 0, -Inf];
%! in = {randn(40, 2), randn(3, 2), randn(3, 4), randn(40, 4)};
%! for f = versions
%!   expected = gradients (f{1}, zeros (40, 2), in{2:4}, 'Mask', repmat (alike, 10, 1));
%!   g = gradients (f{1}, zeros (40, 2), in{2:4}, 'Mask', repmat (ends, 10, 1));
%!   agree (g, expected, 1e-12);
%!   g = gradients (f{1}, single (zeros (40, 2)), in{2:4}, 'Mask', ...
%!                  repmat (ends / realmax * double (realmax ('single')), 10, 1));
%!   agree (g, expected, 1e-4);
%! end

%!test
%! % Compiled and reference agree across the edges of panels, tiles and blocks.
%! restore = seeded (2);
%! sizes = [1, 1, 1, 1; 2, 3, 4, 5; 33, 17, 16, 9; 65, 130, 33, 31; 70, 70, 64, 64;
%!          300, 200, 8, 40];
%! for s = sizes'
%!   in = {randn(s(1), s(3)), randn(s(2), s(3)), randn(s(2), s(4)), randn(s(1), s(4))};
%!   bias = randn (s(1), s(2));
%!   bias(rand (size (bias)) < 0.2) = -Inf;
%!   for options = {{}, {'causal'}, {'Mask', rand(s(1), s(2)) < 0.7}, {'Window', [9, 4]}, ...
%!                  {'Mask', bias, 'causal', 'Scale', 0.3}}
%!     expected = gradients (versions{2}, in{:}, options{1}{:});
%!     % Sums of up to 300 products of numbers of size 10.
%!     agree (gradients (versions{1}, in{:}, options{1}{:}), expected, 1e-12);
%!     in32 = cellfun (@single, in, 'UniformOutput', false);
%!     agree (gradients (versions{1}, in32{:}, options{1}{:}), expected, 1e-3);
%!   end
%! end

% ---- properties ---------------------------------------------------------------------------------

%!test
%! % The rows of dS sum to 0: with one column of ones more in K its gradient by Q is 0, and the same
%! % number added to all scores of a row changes no gradient.
%! restore = seeded (3);
%! Q = randn (20, 5);
%! K = randn (30, 5);
%! V = randn (30, 4);
%! dY = randn (20, 4);
%! for f = versions
%!   for options = {{}, {'causal'}, {'Mask', rand(20, 30) < 0.5}}
%!     g = gradients (f{1}, [Q, ones(20, 1)], [K, ones(30, 1)], V, dY, options{1}{:});
%!     assert (g{1}(:,6), zeros (20, 1), 1e-14);
%!     g = gradients (f{1}, Q, K, V, dY, options{1}{:});
%!     moved = gradients (f{1}, Q, K + randn (1, 5), V, dY, options{1}{:});
%!     agree (moved, g, 1e-13);
%!   end
%!   agree (gradients (f{1}, Q, K, V, dY, 'Mask', 3 * randn (20, 1)), ...
%!          gradients (f{1}, Q, K, V, dY), 1e-13);
%! end

%!test
%! % Linear in dY; the columns of dV sum to those of dY, since weights sum to 1.
%! restore = seeded (4);
%! Q = randn (9, 3);
%! K = randn (70, 3);
%! V = randn (70, 2);
%! dY = randn (9, 2);
%! more = randn (9, 2);
%! for f = versions
%!   one = gradients (f{1}, Q, K, V, dY, 'causal');
%!   two = gradients (f{1}, Q, K, V, more, 'causal');
%!   both = gradients (f{1}, Q, K, V, dY + 2 * more, 'causal');
%!   agree (both, cellfun (@(x, y) x + 2 * y, one, two, 'UniformOutput', false), 1e-13);
%!   assert (sum (one{3}), sum (dY), 1e-13);
%! end

%!test
%! % Pages and heads equal calls for one each; shared keys and values get the sum.
%! restore = seeded (5);
%! Q = randn (5, 3, 4, 2);
%! K = randn (6, 3, 2, 1);
%! V = randn (6, 2, 2, 1);
%! dY = randn (5, 2, 4, 2);
%! M = rand (5, 6, 4) < 0.7;
%! for f = versions
%!   g = gradients (f{1}, Q, K, V, dY, 'Mask', M, 'causal');
%!   dK = zeros (size (K));
%!   dV = zeros (size (V));
%!   for a = 1:4
%!     A = ceil (a / 2);
%!     for b = 1:2
%!       one = gradients (f{1}, Q(:,:,a,b), K(:,:,A), V(:,:,A), dY(:,:,a,b), 'Mask', M(:,:,a), ...
%!                        'causal');
%!       assert (g{1}(:,:,a,b), one{1}, 1e-14);
%!       dK(:,:,A) = dK(:,:,A) + one{2};
%!       dV(:,:,A) = dV(:,:,A) + one{3};
%!     end
%!   end
%!   agree (g, {g{1}, dK, dV}, 1e-14);
%!   wide = @(X) reshape (permute (X, [1, 2, 3, 4]), rows (X), []);
%!   heads = gradients (f{1}, wide (Q(:,:,:,1)), wide (K), wide (V), wide (dY(:,:,:,1)), 4);
%!   pages = gradients (f{1}, Q(:,:,:,1), K, V, dY(:,:,:,1));
%!   agree (heads, cellfun (wide, pages, 'UniformOutput', false), 1e-15);
%! end

%!test
%! % Fewer outputs: the same numbers.
%! restore = seeded (6);
%! in = {randn(40, 5), randn(50, 5), randn(50, 3), randn(40, 3)};
%! for f = versions
%!   [a, b, c] = f{1} (in{:}, 'causal');
%!   [d, e] = f{1} (in{:}, 'causal');
%!   assert ({d, e}, {a, b});
%!   assert (f{1} (in{:}, 'causal'), a);
%! end

%!test
%! % Inputs are left alone, and so are variables that share their memory.
%! restore = seeded (7);
%! X = randn (40, 8);
%! copy = X;
%! kept = X + 0;
%! for f = versions
%!   [dQ, dK, dV] = f{1} (X, X, X, X);
%!   dQ(:) = 0;
%!   assert ({X, copy}, {kept, kept});
%! end

% ---- what others got wrong ----------------------------------------------------------------------

%!test
%! % A query that sees nothing, and a key that nobody sees, have a gradient of 0.
%! restore = seeded (8);
%! Q = randn (5, 2);
%! K = randn (3, 2);
%! V = randn (3, 2);
%! dY = randn (5, 2);
%! for f = versions
%!   g = gradients (f{1}, Q, K, V, dY, 'causal');       % the first two queries see nothing
%!   assert (g{1}(1:2,:), zeros (2, 2));
%!   rest = gradients (f{1}, Q(3:5,:), K, V, dY(3:5,:), 'causal');
%!   agree (g, [{[zeros(2, 2); rest{1}]}, rest(2:3)], 1e-15);
%!   g = gradients (f{1}, Q, K, V, dY, 'Mask', [true, false, true]);
%!   assert ([g{2}(2,:), g{3}(2,:)], zeros (1, 4));
%!   agree (gradients (f{1}, Q, K([1, 3],:), V([1, 3],:), dY), ...
%!          {g{1}, g{2}([1, 3],:), g{3}([1, 3],:)}, 1e-14);
%!   g = gradients (f{1}, NaN (5, 2), K, Inf (3, 2), NaN (5, 2), 'Mask', false);
%!   assert (g, {zeros(5, 2), zeros(3, 2), zeros(3, 2)});
%! end

%!test
%! % What may not be seen never matters, not even as NaN or Inf, in a small and in a large call.
%! restore = seeded (9);
%! for N = [6, 150]
%!   Q = randn (N, 4);
%!   K = randn (N, 4);
%!   V = randn (N, 3);
%!   dY = randn (N, 3);
%!   see = true (1, N);
%!   see(4) = false;
%!   for f = versions
%!     clean = gradients (f{1}, Q, K, V, dY, 'Mask', see);
%!     for poison = [NaN, Inf, -Inf]
%!       k = K;
%!       v = V;
%!       k(4,:) = poison;
%!       v(4,2) = poison;
%!       agree (gradients (f{1}, Q, k, v, dY, 'Mask', see), clean, 1e-13);
%!       agree (gradients (f{1}, Q, k, V, dY, 'Mask', see), clean, 1e-13);
%!       agree (gradients (f{1}, Q, K, v, dY, 'Mask', see), clean, 1e-13);
%!     end
%!     % The last key is NaN: with 'causal' only the last query sees it.
%!     k = K;
%!     k(N,:) = NaN;
%!     g = gradients (f{1}, Q, k, V, dY, 'causal');
%!     assert (isnan (g{1}), [false(N - 1, 4); true(1, 4)]);
%!     assert (all (isnan (g{2}(:))));
%!     % A query that is NaN reaches the keys it sees: with 'causal' and a window, itself.
%!     q = Q;
%!     q(2,:) = NaN;
%!     g = gradients (f{1}, q, K, V, dY, 'causal', 'Window', [0, 0]);
%!     for m = 2:3
%!       assert (find (any (isnan (g{m}), 2)), 2);
%!     end
%!   end
%! end

%!test
%! % A visible NaN value has a weight of 0 in exact arithmetic only far below the smallest number:
%! % the result is NaN all the same, as it is in attention.
%! for f = versions
%!   g = gradients (f{1}, 1, [1000; -1000], [1; NaN], 1);
%!   assert (isnan (g{1}));
%! end

%!test
%! % Scores out of range: the weights are 0 and 1, so nothing depends on Q and K.
%! for f = versions
%!   g = gradients (f{1}, [1000; -1000], [1000; 999], [1; 2], [3; 4]);
%!   assert (g, {zeros(2, 1), zeros(2, 1), [3; 4]});
%!   Q = single ([3e19, 0]);
%!   g = gradients (f{1}, Q, single ([3e19, 0; -3e19, 0]), single ([1; 2]), single (5));
%!   assert (g, {single([0, 0]), single(zeros (2)), single([5; 0])});
%! end

%!test
%! % Products out of the range of single in between, but not in the result.
%! for f = versions
%!   g = gradients (f{1}, single (0), single ([1; 2]), single ([1e30; 1e30]), single (1e20));
%!   assert (g{1}, single (0));
%!   assert (g{3}, single ([5e19; 5e19]));
%! end

%!test
%! % Empty sizes.
%! for f = versions
%!   assert (gradients (f{1}, zeros (0, 2), ones (3, 2), ones (3, 1), zeros (0, 1)), ...
%!           {zeros(0, 2), zeros(3, 2), zeros(3, 1)});
%!   assert (gradients (f{1}, ones (3, 2), zeros (0, 2), zeros (0, 4), ones (3, 4)), ...
%!           {zeros(3, 2), zeros(0, 2), zeros(0, 4)});
%!   assert (gradients (f{1}, zeros (2, 0), zeros (2, 0), [1; 2], [1; 1]), ...
%!           {zeros(2, 0), zeros(2, 0), [1; 1]});
%!   assert (gradients (f{1}, ones (2, 1), ones (2, 1), zeros (2, 0), zeros (2, 0)), ...
%!           {zeros(2, 1), zeros(2, 1), zeros(2, 0)});
%!   assert (gradients (f{1}, ones (2, 3, 0), ones (2, 3), ones (2, 1), ones (2, 1, 0)), ...
%!           {ones(2, 3, 0), zeros(2, 3), zeros(2, 1)});
%! end

% ---- wrong calls --------------------------------------------------------------------------------

%!function expect (versions, arguments, id, text)
%!  for f = versions
%!    try
%!      f{1} (arguments{:});
%!      failure = struct ('identifier', 'none', 'message', 'no error');
%!    catch failure
%!    end
%!    assert (failure.identifier, ['attention:' id]);
%!    assert (regexprep (failure.message, '^attention(_grad)?: ', ''), text);
%!  end
%!endfunction

%!test
%! E = eye (2);
%! for bad = {sparse(E), 'double (sparse)', ' (convert it with full (dY))'; ...
%!            uint8(E), 'uint8', ' (convert it with double (dY))'; ...
%!            E + 1i, 'double (complex)', ''; {1}, 'cell', ''; @sin, 'function_handle', ''; ...
%!            'causal', 'char', ''}'
%!   expect (versions, {E, E, E, bad{1}}, 'bad-type', ...
%!           ['dY must be a full real array of class double or single; got class ' bad{2} bad{3}]);
%! end

%!test
%! E = eye (2);
%! expect (versions, {E, E, E, 1}, 'size-mismatch', ...
%!         'dY must have the size of Y, 2-by-2; it is 1-by-1');
%! expect (versions, {E, E, E, ones(2, 2, 3)}, 'size-mismatch', ...
%!         'dY must have the size of Y, 2-by-2; it is 2-by-2-by-3');
%! expect (versions, {ones(2, 4), ones(3, 2), ones(3, 5), ones(2, 5), 2}, 'size-mismatch', ...
%!         'dY must have the size of Y, 2-by-10; it is 2-by-5');
%! expect (versions, {E, ones(2, 3), E, E}, 'size-mismatch', ...
%!         'Q and K must have the same number of columns; Q is 2-by-2 and K is 2-by-3');
%! expect (versions, {E, E, E, E, 1, 2}, 'bad-option', 'argument 6 is a second number of heads');
%! expect (versions, {E, E, E, E, 'Scale', Inf}, 'out-of-range', 'Scale must be finite; got Inf');
%! expect (versions, {E, E, E, E, '%s%n'}, 'bad-option', ...
%!         ['unknown option ''%s%n''; the options are ''causal'', ''NumHeads'', ''Mask'', ' ...
%!          '''Scale'' and ''Window''']);

%!error <Invalid call to attention_grad> attention_grad ()
%!error <too many outputs> [a, b, c, d] = attention_grad (1, 1, 1, 1)
