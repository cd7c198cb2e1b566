% attention against PyTorch's results (float64) for 36 small cases.

%!shared versions, guard
%! [versions, guard] = attention_versions ();

%!assert (numel (attention_fixture ()), 36)
%!assert (exist ('attention'), 3)

%!test
%! cases = attention_fixture ();
%! for c = cases
%!   for f = versions
%!     [y, w] = f{1} (c.Q, c.K, c.V, c.options{:});
%!     assert (y, c.Y, 1e-13 * max (1, max (abs (c.Y(:)))));
%!     assert (w, c.W, 1e-13);
%!     assert (f{1} (c.Q, c.K, c.V, c.options{:}), y, 1e-15 * max (1, max (abs (c.Y(:)))));
%!   end
%! end
%! assert (unique ({cases.mask_kind}), {'additive', 'causal', 'logical', 'none'});

%!test
%! % Single: a score is a sum of d products, each off by eps when rounded, so it is off by at most
%! % (d + 2)*eps*max|Q|*|K|'*scale; that is the relative error of a weight, and the sums over Nk
%! % keys add Nk*eps.
%! for c = attention_fixture ()
%!   d = size (c.Q, 2);
%!   place = find (strcmp (c.options, 'Scale'));
%!   scale = 1 / sqrt (d);
%!   if (! isempty (place))
%!     scale = c.options{place+1};
%!   end
%!   largest = max (max (scale * abs (c.Q) * abs (c.K)'));
%!   place = find (strcmp (c.options, 'Mask'));
%!   if (! isempty (place) && ! islogical (c.options{place+1}))
%!     largest = largest + max (abs (c.options{place+1}(:)));
%!   end
%!   tol = eps ('single') * (2 * (d + 2) * largest + size (c.K, 1) + 8);
%!   for f = versions
%!     [y, w] = f{1} (single (c.Q), single (c.K), single (c.V), c.options{:});
%!     assert (class (y), 'single');
%!     assert (class (w), 'single');
%!     assert (double (y), c.Y, tol * max (1, max (abs (c.V(:)))));
%!     assert (double (w), c.W, tol);
%!   end
%! end
