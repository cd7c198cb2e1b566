% What must hold for attention whatever the numbers are; random input of several sizes, through the
% compiled attention and the reference.

%!shared versions, guard, tol
%! [versions, guard] = attention_versions ();
%! % Sums of up to 70 products of numbers of size 1, exponentials of scores of size 10.
%! tol = 200 * eps;

% Sizes [Nq Nk d dv] around block edges, and options that fit them.
%!function calls = random_calls ()
%!  sizes = [1, 1, 1, 1; 2, 3, 4, 5; 7, 7, 3, 2; 5, 64, 8, 8; 33, 17, 16, 9; 65, 130, 33, 31;
%!           70, 70, 64, 64; 16, 40, 1, 1];
%!  calls = {};
%!  for s = sizes'
%!    Nq = s(1);
%!    Nk = s(2);
%!    in = {randn(Nq, s(3)), randn(Nk, s(3)), randn(Nk, s(4))};
%!    bias = randn (Nq, Nk);
%!    bias(rand (Nq, Nk) < 0.2) = -Inf;
%!    calls(end+1,:) = {in, {}, s'};
%!    calls(end+1,:) = {in, {'causal'}, s'};
%!    calls(end+1,:) = {in, {'Mask', rand(Nq, Nk) < 0.7}, s'};
%!    calls(end+1,:) = {in, {'Mask', bias, 'causal', 'Scale', 0.3}, s'};
%!    calls(end+1,:) = {in, {'Mask', rand(1, Nk) < 0.7, 'Window', [9, 4]}, s'};
%!    calls(end+1,:) = {in, {'Window', [Inf, 2], 'Mask', randn(Nq, 1)}, s'};
%!    calls(end+1,:) = {in, {'Scale', -2, 'Window', [3, Inf], 'causal'}, s'};
%!  end
%!endfunction

% See, true where a query may look, worked out from the definition.
%!function see = visible (Nq, Nk, causal, left, right)
%!  see = false (Nq, Nk);
%!  for i = 1:Nq
%!    for j = 1:Nk
%!      distance = j - (i + Nk - Nq);
%!      see(i,j) = distance >= -left && distance <= right && ! (causal && distance > 0);
%!    end
%!  end
%!endfunction

%!test
%! % Weights are not negative, their rows sum to 1, or to 0 when nothing is seen; W*V is Y.
%! restore = seeded (1);
%! calls = random_calls ();
%! for n = 1:rows (calls)
%!   in = calls{n,1};
%!   for f = versions
%!     [Y, W] = f{1} (in{:}, calls{n,2}{:});
%!     assert (size (W), calls{n,3}([1, 2]));
%!     assert (size (Y), calls{n,3}([1, 4]));
%!     assert (all (W(:) >= 0));
%!     total = sum (W, 2);
%!     assert (all (abs (total - 1) < tol | total == 0));
%!     assert (W * in{3}, Y, tol * max (abs (in{3}(:))));
%!     assert (f{1} (in{:}, calls{n,2}{:}), Y, tol);
%!   end
%! end

%!test
%! % Compiled and reference agree, in double and in single.
%! restore = seeded (2);
%! calls = random_calls ();
%! for n = 1:rows (calls)
%!   in = calls{n,1};
%!   [Y, W] = versions{1} (in{:}, calls{n,2}{:});
%!   [Yr, Wr] = versions{2} (in{:}, calls{n,2}{:});
%!   assert (Y, Yr, tol);
%!   assert (W, Wr, tol);
%!   in{1} = single (in{1});
%!   [Y, W] = versions{1} (in{:}, calls{n,2}{:});
%!   [Yr, Wr] = versions{2} (in{:}, calls{n,2}{:});
%!   assert (Y, Yr, single (200 * eps ('single')));
%!   assert (W, Wr, single (200 * eps ('single')));
%! end

%!test
%! % The same number added to all scores of a row changes nothing: through the mask, and through K.
%! restore = seeded (3);
%! calls = random_calls ();
%! for n = 1:rows (calls)
%!   in = calls{n,1};
%!   s = calls{n,3};
%!   if (any (strcmp (calls{n,2}, 'Mask')))
%!     continue;
%!   end
%!   for f = versions
%!     [Y, W] = f{1} (in{:}, calls{n,2}{:});
%!     [y, w] = f{1} (in{:}, calls{n,2}{:}, 'Mask', 3 * randn (s(1), 1));
%!     assert (y, Y, tol);
%!     assert (w, W, tol);
%!     [y, w] = f{1} (in{1}, in{2} + randn (1, s(3)), in{3}, calls{n,2}{:});
%!     assert (y, Y, 10 * tol);
%!     assert (w, W, 10 * tol);
%!   end
%! end

%!test
%! % Keys and values permuted together change nothing; permuted queries permute the rows.
%! restore = seeded (4);
%! for N = [2, 9, 66]
%!   Q = randn (N, 5);
%!   K = randn (N + 3, 5);
%!   V = randn (N + 3, 4);
%!   M = rand (N, N + 3) < 0.7;
%!   p = randperm (N + 3);
%!   q = randperm (N);
%!   for f = versions
%!     [Y, W] = f{1} (Q, K, V, 'Mask', M);
%!     [y, w] = f{1} (Q, K(p,:), V(p,:), 'Mask', M(:,p));
%!     assert (y, Y, tol);
%!     assert (w, W(:,p), tol);
%!     [y, w] = f{1} (Q(q,:), K, V, 'Mask', M(q,:));
%!     assert (y, Y(q,:), tol);
%!     assert (w, W(q,:), tol);
%!   end
%! end

%!test
%! % One key returns its value, to the last bit.
%! restore = seeded (5);
%! Q = 100 * randn (37, 6);
%! V = randn (1, 9);
%! for f = versions
%!   [Y, W] = f{1} (Q, randn (1, 6), V);
%!   assert (Y, repmat (V, 37, 1));
%!   assert (W, ones (37, 1));
%!   Y = f{1} (single (Q), randn (1, 6), V);
%!   assert (Y, repmat (single (V), 37, 1));
%!   assert (f{1} (Q, randn (37, 6), repmat (V, 37, 1), 'Window', [0, 0]), repmat (V, 37, 1));
%! end

%!test
%! % Causal and window are the masks that the definition gives.
%! restore = seeded (6);
%! for s = [1, 1; 5, 5; 3, 8; 8, 3; 40, 70; 70, 40; 67, 67]'
%!   Q = randn (s(1), 4);
%!   K = randn (s(2), 4);
%!   V = randn (s(2), 3);
%!   for w = [Inf, Inf; 0, 0; 2, 1; Inf, 3; 1, Inf; 0, Inf; 1e300, 2^53; 100, 0]'
%!     for causal = [false, true]
%!       see = visible (s(1), s(2), causal, w(1), w(2));
%!       for f = versions
%!         [Y, W] = f{1} (Q, K, V, 'Window', w, 'Causal', causal);
%!         [y, ww] = f{1} (Q, K, V, 'Mask', see);
%!         assert (y, Y, tol);
%!         assert (ww, W, tol);
%!         assert (! any (W(! see)));
%!         more = rand (s(1), s(2)) < 0.5;
%!         y = f{1} (Q, K, V, 'Window', w, 'Mask', more, 'Causal', causal);
%!         assert (y, f{1} (Q, K, V, 'Mask', see & more), tol);
%!       end
%!     end
%!   end
%! end

%!test
%! % Masks broadcast: a row, a column, one value.
%! restore = seeded (7);
%! Q = randn (6, 3);
%! K = randn (9, 3);
%! V = randn (9, 2);
%! for m = {rand(1, 9) < 0.5, rand(6, 1) < 0.5, true, randn(1, 9), randn(6, 1), single(0.5)}
%!   for f = versions
%!     [Y, W] = f{1} (Q, K, V, 'Mask', m{1});
%!     [y, w] = f{1} (Q, K, V, 'Mask', repmat (m{1}, [6, 9] ./ size (m{1})));
%!     assert (y, Y, tol);
%!     assert (w, W, tol);
%!   end
%! end

%!test
%! % Pages equal a loop over 2-D calls; masks have the pages of W, or one.
%! restore = seeded (8);
%! Nq = 5;
%! Nk = 7;
%! for pages = {[3, 1; 3, 1], [4, 3; 2, 1], [2, 3; 1, 3], [6, 2; 3, 2], [1, 2; 1, 2]}
%!   q = pages{1}(1,:);
%!   k = pages{1}(2,:);
%!   Q = randn ([Nq, 4, q]);
%!   K = randn ([Nk, 4, k]);
%!   V = randn ([Nk, 2, k]);
%!   for m = {true, rand([Nq, Nk, q]) < 0.6, randn([1, Nk, q(1)]), rand([Nq, 1, 1, q(2)]) < 0.6}
%!     full_mask = m{1} & true ([Nq, Nk, q]);
%!     if (! islogical (m{1}))
%!       full_mask = m{1} + zeros ([Nq, Nk, q]);
%!     end
%!     for f = versions
%!       [Y, W] = f{1} (Q, K, V, 'Mask', m{1}, 'causal');
%!       assert (size (Y), size (zeros ([Nq, 2, q])));
%!       assert (size (W), size (zeros ([Nq, Nk, q])));
%!       for a = 1:q(1)
%!         for b = 1:q(2)
%!           A = ceil (a * k(1) / q(1));
%!           B = ceil (b * k(2) / q(2));
%!           [y, w] = f{1} (Q(:,:,a,b), K(:,:,A,B), V(:,:,A,B), 'Mask', full_mask(:,:,a,b), ...
%!                          'causal');
%!           assert (Y(:,:,a,b), y, tol);
%!           assert (W(:,:,a,b), w, tol);
%!         end
%!       end
%!     end
%!   end
%! end

%!test
%! % NumHeads equals a loop over slices of columns, with fewer heads in K and V, pages and masks.
%! restore = seeded (9);
%! Nq = 4;
%! Nk = 6;
%! d = 3;
%! dv = 2;
%! for H = {[1, 1], [2, 2], [4, 2], [6, 1], [6, 3]}
%!   h = H{1}(1);
%!   g = H{1}(2);
%!   for P = [1, 3]
%!     Q = randn (Nq, d * h, P);
%!     K = randn (Nk, d * g, P);
%!     V = randn (Nk, dv * g, P);
%!     M = rand (Nq, Nk, h, P) < 0.7;
%!     for f = versions
%!       [Y, W] = f{1} (Q, K, V, h, 'Mask', M, 'Window', [Inf, 3]);
%!       assert (size (Y), size (zeros (Nq, dv * h, P)));
%!       assert (size (W), size (zeros (Nq, Nk, h, P)));
%!       [y, w] = f{1} (Q, K, V, 'Mask', M, 'Window', [Inf, 3], 'numheads', h);
%!       assert (y, Y);
%!       assert (w, W);
%!       for p = 1:P
%!         for i = 1:h
%!           j = ceil (i * g / h);
%!           [y, w] = f{1} (Q(:,(i-1)*d+1:i*d,p), K(:,(j-1)*d+1:j*d,p), V(:,(j-1)*dv+1:j*dv,p), ...
%!                          'Mask', M(:,:,i,p), 'Window', [Inf, 3]);
%!           assert (Y(:,(i-1)*dv+1:i*dv,p), y, tol);
%!           assert (W(:,:,i,p), w, tol);
%!         end
%!       end
%!     end
%!   end
%! end

%!test
%! % Heads by number in a 4-D stack: W has five dimensions.
%! restore = seeded (10);
%! Q = randn (3, 4, 2, 3);
%! for f = versions
%!   [Y, W] = f{1} (Q, Q, Q, 'causal', 2);
%!   assert (size (W), [3, 3, 2, 2, 3]);
%!   [y, w] = f{1} (Q(:,3:4,2,3), Q(:,3:4,2,3), Q(:,3:4,2,3), 'causal');
%!   assert (Y(:,3:4,2,3), y, tol);
%!   assert (W(:,:,2,2,3), w, tol);
%! end

%!test
%! % The order of the options does not matter, nor the case of their names; the last one counts.
%! restore = seeded (11);
%! Q = randn (5, 4);
%! M = rand (5) < 0.8;
%! for f = versions
%!   Y = f{1} (Q, Q, Q, 2, 'causal', 'Mask', M, 'Scale', 0.7, 'Window', [2, 2]);
%!   assert (f{1} (Q, Q, Q, 'WINDOW', [2, 2], 'Causal', true, 2, 'scale', 0.7, 'mask', M), Y);
%!   assert (f{1} (Q, Q, Q, 'CAUSAL', 'NumHeads', 7, 'Mask', M, 'Scale', 9, 'Scale', 0.7, ...
%!                 'window', [2; 2], "NUMHEADS", int8 (2)), Y);
%!   assert (f{1} (Q, Q, Q, 'causal', 'Causal', false), f{1} (Q, Q, Q));
%!   assert (f{1} (Q, Q, Q, 'causal', 1), f{1} (Q, Q, Q, 1, 'causal'));
%! end

%!test
%! % Inputs are left alone, and so are variables that share their memory.
%! restore = seeded (12);
%! Q = randn (40, 8);
%! K = randn (50, 8);
%! V = randn (50, 8);
%! M = randn (40, 50);
%! other = {Q, K, V, M};
%! copies = {Q + 0, K + 0, V + 0, M + 0};
%! for f = versions
%!   [Y, W] = f{1} (Q, K, V, 'Mask', M);
%!   Y(:) = 0;
%!   W(:) = 0;
%!   y = f{1} (Q, Q, Q);
%!   assert ({Q, K, V, M}, copies);
%!   assert (other, copies);
%! end

%!test
%! % Results are the caller's: a second call does not touch those of the first, large ones too.
%! restore = seeded (13);
%! Q = randn (300, 2);
%! for f = versions
%!   [Y, W] = f{1} (Q, Q, Q);
%!   y = Y + 0;
%!   w = W + 0;
%!   same = W;
%!   f{1} (2 * Q, Q, Q);
%!   [Y2, W2] = f{1} (2 * Q, Q, Q);
%!   W2(1) = 7;
%!   assert (Y, y);
%!   assert (W, w);
%!   same(1) = 7;
%!   assert (W, w);
%! end
