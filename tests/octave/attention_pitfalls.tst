% Inputs on which other tools that do this job went wrong, and their neighbours; each through the
% compiled attention and the reference.  Values are to double precision.

%!shared versions, guard
%! [versions, guard] = attention_versions ();

% ---- queries that see nothing, alignment --------------------------------------------------------

%!test
%! for f = versions
%!   [Y, W] = f{1} (eye (2), eye (2), [1, 2; 3, 4], 'Mask', logical ([1, 0; 0, 0]));
%!   assert (Y, [1, 2; 0, 0]);
%!   assert (W, [1, 0; 0, 0]);
%!   [Y, W] = f{1} (eye (2), eye (2), [1, 2; 3, 4], 'Mask', [0, -Inf; -Inf, -Inf]);
%!   assert (Y, [1, 2; 0, 0]);
%!   assert (W, [1, 0; 0, 0]);
%!   [Y, W] = f{1} (ones (3, 1), ones (2, 1), [NaN; Inf], 'Mask', false);
%!   assert (Y, zeros (3, 1));
%!   assert (W, zeros (3, 2));
%!   [Y, W] = f{1} (NaN (2, 1), ones (2, 1), [1; 2], 'Mask', false (2, 2));
%!   assert (Y, zeros (2, 1));
%!   assert (W, zeros (2, 2));
%! end

%!test
%! % The queries are the last tokens: one query sees every key, the first of five see none.
%! for f = versions
%!   Y = f{1} ([1, 1], [1, 0; 0, 1; 1, 1; 0, 0], [10; 20; 30; 40], 'causal');
%!   assert (Y, 24.45514385192491, 1e-13);
%!   [Y, W] = f{1} (ones (5, 1), [0; log(3)], [1; 5], 'causal');
%!   assert (Y, [0; 0; 0; 1; 4], 1e-14);
%!   assert (W, [0, 0; 0, 0; 0, 0; 1, 0; 0.25, 0.75], 1e-15);
%! end

% ---- masks --------------------------------------------------------------------------------------

%!test
%! Q = [1, 0; 0, 1; 1, 1];
%! for lowest = [-realmax, -realmax/2, -1e300]
%!   for f = versions
%!     [Y, W] = f{1} (Q, Q, [1; 2; 6], 'Mask', [lowest * ones(1, 3); ones(2, 3)]);
%!     assert (W(1,:), ones (1, 3) / 3, 1e-15);
%!     assert (Y, [3; 3.406672556078715; 3.765704295680492], 1e-14);
%!   end
%! end

%!test
%! % The same in single, with a mask of either class; numbers beyond its range are its largest.
%! Q = single ([1, 0; 0, 1; 1, 1]);
%! for lowest = {-realmax('single'), -realmax}
%!   for f = versions
%!     Y = f{1} (Q, Q, [1; 2; 6], 'Mask', [lowest{1} * ones(1, 3); ones(2, 3)]);
%!     assert (Y, single ([3; 3.406672556078715; 3.765704295680492]), -8 * eps ('single'));
%!   end
%! end

%!test
%! % Many rows that see only the end of the range: equal ones share, the others still differ.
%! N = 40;
%! for kind = {'single', 'double'}
%!   ends = -realmax (kind{1}) * [1, 1, 1; 1, 0.9, 1; 0.9, 1, 1; 0.9, 0.95, 0.9; 1, 0.2, 1];
%!   share = [1, 1, 1; 0, 3, 0; 3, 0, 0; 1.5, 0, 1.5; 0, 3, 0] / 3;
%!   Q = cast (reshape (mod (1:2*N, 7), N, 2), kind{1});
%!   K = cast ([1, 2; 1, 2; 1, 2], kind{1});
%!   for f = versions
%!     [Y, W] = f{1} (Q, K, 4 * eye (3), 'Mask', repmat (ends, N / 5, 1));
%!     assert (double (W), repmat (share, N / 5, 1), 4 * eps (kind{1}));
%!     assert (double (Y), 4 * repmat (share, N / 5, 1), 16 * eps (kind{1}));
%!     K(2,1) = NaN;
%!     Y = f{1} (Q, K, 4 * eye (3), 'Mask', repmat (ends, N / 5, 1));
%!     assert (all (isnan (Y(:))));
%!     K(2,1) = 1;
%!   end
%! end

%!test
%! % A finite mask never becomes "may not be seen", nor infinitely welcome.
%! for f = versions
%!   [~, W] = f{1} (ones (1, 1), ones (3, 1), ones (3, 1), 'Mask', [realmax, realmax, 0]);
%!   assert (W, [0.5, 0.5, 0]);
%!   [~, W] = f{1} (single (1), ones (3, 1), ones (3, 1), 'Mask', [1e300, 1e300, 0]);
%!   assert (W, single ([0.5, 0.5, 0]));
%!   [~, W] = f{1} (1, ones (2, 1), ones (2, 1), 'Mask', [-realmax, -Inf]);
%!   assert (W, [1, 0]);
%! end

%!test
%! % 0/1: a logical mask hides, a numeric one is added and warned about, once a call.
%! expected = [0.846460643786212, 0.153539356213788; 0.330238450673343, 0.669761549326657];
%! for f = versions
%!   [~, W] = f{1} (eye (2), eye (2), eye (2), 'Mask', logical ([1, 0; 1, 1]));
%!   assert (W, [1, 0; 0.330238450673343, 0.669761549326657], 1e-15);
%!   for mask = {[1, 0; 1, 1], single([1, 0; 1, 1])}
%!     lastwarn ('', '');
%!     [~, W] = f{1} (eye (2), eye (2), eye (2), 'Mask', mask{1});
%!     assert (W, expected, 1e-15);
%!     [text, id] = lastwarn ();
%!     assert (id, 'attention:binary-mask');
%!     assert (text, ['attention: Mask is numeric and holds only 0 and 1: it is added to the ' ...
%!                    'scores; for true = may attend, pass logical (Mask)']);
%!   end
%! end

%!test
%! % No warning for a mask that adds nothing, has other numbers, or is logical or empty.
%! for mask = {zeros(2), [0, 0.5; 1, 1], [0, -Inf; 0, 0], [NaN, 1; 1, 1], [1, 2; 0, 0], true(2)}
%!   for f = versions
%!     lastwarn ('', '');
%!     f{1} (eye (2), eye (2), eye (2), 'Mask', mask{1});
%!     assert (lastwarn (), '');
%!   end
%! end

% ---- range --------------------------------------------------------------------------------------

%!test
%! for f = versions
%!   [Y, W] = f{1} ([1000; -1000], [1000; 999], [1; 2]);
%!   assert (Y, [1; 2]);
%!   assert (W, eye (2));
%! end

%!test
%! for f = versions
%!   [Y, W] = f{1} (single ([3e19, 0]), single ([3e19, 0; -3e19, 0]), single ([1; 2]));
%!   assert (Y, single (1));
%!   assert (W, single ([1, 0]));
%!   [Y, W] = f{1} ([1e200, 0], [1e200, 0; -1e200, 0], [1; 2]);
%!   assert (Y, 1);
%!   assert (W, [1, 0]);
%! end

%!test
%! % Scores 0 and the like that only pass through infinity, beside others that are there.
%! for f = versions
%!   for big = {1e200, single(1e30)}
%!     b = big{1};
%!     [~, W] = f{1} ([b, b], [b, -b; -b, b; 0, 0], eye (3));
%!     assert (double (W), ones (1, 3) / 3, 4 * eps ('single'));
%!     [~, W] = f{1} ([b, b; 1, 0], [b, -b; b, 0; 0, b; 1, 1], eye (4));
%!     assert (double (W(1,:)), [0, 0.5, 0.5, 0]);
%!     assert (double (W(2,:)), [0.5, 0.5, 0, 0]);
%!     [~, W] = f{1} (b, [b; b/2], eye (2), 'causal');
%!     assert (double (W), [1, 0]);
%!   end
%! end

%!test
%! % A scale brings such scores back into the range: 100 and 200, 1 and 2.
%! for f = versions
%!   [~, W] = f{1} (1e200, [1e200; 2e200], eye (2), 'Scale', 0);
%!   assert (W, [0.5, 0.5], 1e-15);
%!   [~, W] = f{1} (1e155, [1e155; 2e155], eye (2), 'Scale', 1e-308);
%!   assert (W, [exp(-100), 1], 1e-50);
%!   [~, W] = f{1} (1e154, [1e154; 2e154], eye (2), 'Scale', 1e-308);
%!   assert (W, 1 ./ [1 + e, 1 + 1/e], 1e-13);
%!   [~, W] = f{1} (2e154, [1e154; 2e154], eye (2), 'Scale', 5e-309);
%!   assert (W, 1 ./ [1 + e, 1 + 1/e], 1e-13);
%! end

%!test
%! % Scores beyond the range and a mask at its end.
%! for f = versions
%!   [~, W] = f{1} (1e155, [1e155; 1e155; -1e155], eye (3), 'Mask', [-realmax, 0, realmax]);
%!   assert (W, [0, 1, 0]);
%!   [~, W] = f{1} (1e154, [1e154; 1.5e154], eye (2), 'Mask', [realmax, 0]);
%!   assert (W, [1, 0]);
%! end

% ---- NaN and Inf --------------------------------------------------------------------------------

%!test
%! % What may not be seen never matters; the rest is what it would be without it.
%! Q = [0.3, -1; 0.7, 0.2; -0.5, 0.9];
%! K = [1, 0; 0, 1; 0.5, 0.5];
%! V = [1, 2; 3, 4; 5, 6];
%! for f = versions
%!   for bad = {NaN, Inf, -Inf}
%!     for type = {'double', 'single'}
%!       badK = K;
%!       badV = V;
%!       badK(3,:) = bad{1};
%!       badV(3,:) = bad{1};
%!       q = feval (type{1}, Q);
%!       [Y, W] = f{1} (q, K(1:2,:), V(1:2,:));
%!       for options = {{'Mask', [true, true, false]}, {'Mask', [0, 0, -Inf]}}
%!         [y, w] = f{1} (q, badK, badV, options{1}{:});
%!         assert (y, Y, 8 * eps (class (Y)));
%!         assert (w, [W, zeros(3, 1)], 8 * eps (class (Y)));
%!       end
%!       [y, w] = f{1} (q, badK, badV, 'causal');
%!       [Y, W] = f{1} (q, K, V, 'causal');
%!       assert (y(1:2,:), Y(1:2,:), 8 * eps (class (Y)));
%!       assert (w(1:2,:), W(1:2,:), 8 * eps (class (Y)));
%!     end
%!   end
%! end

%!test
%! % A NaN that is seen shows, in its own row, column or element only.
%! Q = [NaN, 0; 1, 0];
%! for f = versions
%!   [Y, W] = f{1} (Q, eye (2), [1; 2]);
%!   assert (isnan (Y), [true; false]);
%!   assert (isnan (W), [true, true; false, false]);
%!   [Y, W] = f{1} (eye (2), eye (2), [NaN, 1; 2, 3]);
%!   assert (isnan (Y), [true, false; true, false]);
%!   assert (! any (isnan (W(:))));
%!   Y = f{1} (eye (2), [NaN, 0; 0, 1], [1; 2]);
%!   assert (isnan (Y), [true; true]);
%!   Y = f{1} (eye (2), eye (2), [1; 2], 'Mask', [NaN, 0; 0, 0]);
%!   assert (isnan (Y), [true; false]);
%!   Y = f{1} (eye (2), eye (2), [Inf; 2]);
%!   assert (Y, [Inf; Inf]);
%!   Y = f{1} (eye (2), eye (2), [Inf; -Inf]);
%!   assert (Y, [NaN; NaN]);
%! end

% ---- scale --------------------------------------------------------------------------------------

%!test
%! Q = [0.1, 0.2; 0.3, 0.4; 0.5, 0.6];
%! K = [0.7, 0.8; 0.9, 1; 1.1, 1.2];
%! V = [1, 2; 3, 4; 5, 6];
%! for f = versions
%!   assert (f{1} (Q, K, V, 'causal'), [1, 2; 2.049457091320634, 3.049457091320634; ...
%!                                      3.206585765974344, 4.206585765974344], 1e-14);
%!   assert (f{1} (Q, K, V, 'causal', 'Scale', 0), [1, 2; 2, 3; 3, 4], 1e-14);
%!   assert (f{1} (Q, K, V, 'Scale', 1 / sqrt (2)), f{1} (Q, K, V), 1e-14);
%!   assert (f{1} (Q, K, V, 'Scale', -1), f{1} (-Q, K, V, 'Scale', 1), 1e-14);
%!   assert (f{1} (Q, K, V, 'scale', single (2)), f{1} (2 * Q, K, V, 'SCALE', int8 (1)), 1e-14);
%! end

% ---- what holds the numbers ---------------------------------------------------------------------

%!test
%! % Ranges, slices, diagonal and permutation matrices, products of such.
%! P = eye (3)([2, 3, 1],:);
%! A = magic (5) / 10;
%! for f = versions
%!   assert (f{1} (1:3, [1, 2, 3; 3, 2, 1], [10; 20]), 10.90347354960850, 1e-13);
%!   assert (f{1} (P, eye (3), 2 * eye (3)), f{1} (full (P), full (eye (3)), full (2 * eye (3))));
%!   assert (f{1} (eye (2, 3), P, (1:3)'), f{1} ([1, 0, 0; 0, 1, 0], full (P), [1; 2; 3]));
%!   assert (f{1} (A(2:4,1:2), A(:,[3, 5]), A(:,4)'.'), ...
%!           f{1} (A([2, 3, 4],[1, 2]) + 0, A(:,[3, 5]) + 0, A(:,4) + 0));
%!   assert (f{1} (0:0.5:1, eye (3), -(1:3)'), f{1} ([0, 0.5, 1], full (eye (3)), [-1; -2; -3]));
%!   [~, W] = f{1} (ones (2, 1), (1:3)', (1:3)', 'Mask', eye (2, 3) - 1);
%!   [~, W2] = f{1} (ones (2, 1), [1; 2; 3], [1; 2; 3], 'Mask', [0, -1, -1; -1, 0, -1]);
%!   assert (W, W2);
%!   [~, W] = f{1} (ones (1, 1), (1:3)', (1:3)', 'Mask', -(1:3));
%!   assert (W, ones (1, 3) / 3, 1e-15);
%!   [~, W] = f{1} (ones (3, 1), ones (3, 1), ones (3, 1), 'Window', 0:1);
%!   assert (W, [0.5, 0.5, 0; 0, 0.5, 0.5; 0, 0, 1]);
%! end

%!test
%! % Any single makes all single, the numbers that go in included.
%! x = 1 + 1e-10;
%! for f = versions
%!   for n = 1:3
%!     in = {0.5, x, x};
%!     in{n} = single (in{n});
%!     [Y, W] = f{1} (in{:});
%!     assert (class (Y), 'single');
%!     assert (class (W), 'single');
%!     assert (Y, single (1));
%!   end
%!   assert (class (f{1} (0.5, x, x, 'Mask', single (0), 'Scale', single (1))), 'double');
%!   assert (f{1} (0.5, x, x, 'Mask', single (0)), x);
%!   assert (isnan (f{1} (single (1), [1e300; 1], [1; 2])));
%! end

%!test
%! % Inputs of full NaN-free but extreme size classes: subnormal numbers are not lost.
%! for f = versions
%!   assert (f{1} (1, 1, realmin / 4), realmin / 4);
%!   assert (f{1} (single (1), 1, realmin ('single') / 4), realmin ('single') / 4);
%!   assert (f{1} (1, 1, realmax), realmax);
%! end

% ---- pages --------------------------------------------------------------------------------------

%!test
%! Q = cat (3, [1, 0], [0, 2]);
%! for f = versions
%!   [Y, W] = f{1} (Q, eye (2), [1; 3]);
%!   assert (Y(:), [1.660476901346686; 2.608859365013914], 1e-14);
%!   assert (size (W), [1, 2, 2]);
%! end

%!test
%! % Six query pages on two: the first three share the first.
%! Q = reshape (1:12, [1, 2, 6]) / 12;
%! K = cat (3, [1, 0; 0, 1], [2, -1; 0, 1]);
%! V = cat (3, [1; 2], [10; 20]);
%! for f = versions
%!   Y = f{1} (Q, K, V);
%!   for p = 1:6
%!     assert (Y(:,:,p), f{1} (Q(:,:,p), K(:,:,ceil (p / 3)), V(:,:,ceil (p / 3))), 1e-14);
%!   end
%! end

% ---- empty sizes --------------------------------------------------------------------------------

%!test
%! for f = versions
%!   for type = {'double', 'single'}
%!     z = @(varargin) zeros (varargin{:}, type{1});
%!     [Y, W] = f{1} (z (3, 2), z (0, 2), z (0, 4));
%!     assert (Y, z (3, 4));
%!     assert (W, z (3, 0));
%!     [Y, W] = f{1} (z (0, 2), z (3, 2), z (3, 4));
%!     assert (Y, z (0, 4));
%!     assert (W, z (0, 3));
%!     [Y, W] = f{1} (z (2, 0), z (4, 0), cast ([1; 2; 3; 6], type{1}));
%!     assert (Y, cast ([3; 3], type{1}));
%!     assert (W, cast (ones (2, 4) / 4, type{1}));
%!     [Y, W] = f{1} (z (2, 3), z (4, 3), z (4, 0));
%!     assert (Y, z (2, 0));
%!     assert (W, cast (ones (2, 4) / 4, type{1}));
%!     [Y, W] = f{1} (z (2, 3, 0), z (4, 3, 0), z (4, 1, 0));
%!     assert (Y, z (2, 1, 0));
%!     assert (W, z (2, 4, 0));
%!     [Y, W] = f{1} (z (2, 3, 0), z (4, 3), z (4, 1));
%!     assert (Y, z (2, 1, 0));
%!     [Y, W] = f{1} (z (0, 0), z (0, 0), z (0, 0), 'causal', 'Mask', true (0, 0));
%!     assert (Y, z (0, 0));
%!     assert (W, z (0, 0));
%!     [Y, W] = f{1} (z (2, 0, 3), z (4, 0, 3), cast (ones (4, 2, 3), type{1}), 'causal', 2);
%!     assert (Y, cast (ones (2, 2, 3), type{1}));
%!     assert (size (W), [2, 4, 2, 3]);
%!   end
%! end
