% attention against PyTorch's results (float64) for 36 small cases.

%!shared versions, guard
%! [versions, guard] = attention_versions ();

%!function cases = read_cases ()
%!  octave_tests = fileparts (fileparts (which ('attention_versions')));
%!  cases = jsondecode (fileread (fullfile (fileparts (octave_tests), 'fixtures', ...
%!                                          'attention_cases.json')));
%!endfunction

% Options of a case, and its matrices: JSON lists of one row may come back as columns.
%!function [Q, K, V, options, Y, W] = unpack (c)
%!  Nq = round (sqrt (numel (c.Q) * numel (c.W) / numel (c.K)));
%!  Nk = numel (c.W) / Nq;
%!  Q = reshape (c.Q, Nq, []);
%!  K = reshape (c.K, Nk, []);
%!  V = reshape (c.V, Nk, []);
%!  W = reshape (c.W, Nq, Nk);
%!  Y = reshape (c.Y, Nq, []);
%!  options = {};
%!  if (strcmp (c.mask_kind, 'causal'))
%!    options = {'causal'};
%!  elseif (strcmp (c.mask_kind, 'logical'))
%!    options = {'Mask', logical(reshape (c.mask, Nq, Nk))};
%!  elseif (strcmp (c.mask_kind, 'additive'))
%!    options = {'Mask', reshape(c.mask, Nq, Nk)};
%!  end
%!  if (isfield (c, 'scale') && ! isempty (c.scale))
%!    options(end+1:end+2) = {'Scale', c.scale};
%!  end
%!endfunction

%!assert (numel (read_cases ()), 36)
%!assert (exist ('attention'), 3)

%!test
%! cases = read_cases ();
%! kinds = cell (1, 36);
%! for n = 1:36
%!   c = cases{n};
%!   kinds{n} = c.mask_kind;
%!   [Q, K, V, options, Y, W] = unpack (c);
%!   for f = versions
%!     [y, w] = f{1} (Q, K, V, options{:});
%!     assert (y, Y, 1e-13 * max (1, max (abs (Y(:)))));
%!     assert (w, W, 1e-13);
%!     assert (f{1} (Q, K, V, options{:}), y, 1e-15 * max (1, max (abs (Y(:)))));
%!   end
%! end
%! assert (unique (kinds), {'additive', 'causal', 'logical', 'none'});

%!test
%! % Single: a score is a sum of d products, each off by eps when rounded, so it is off by at most
%! % (d + 2)*eps*max|Q|*|K|'*scale; that is the relative error of a weight, and the sums over Nk
%! % keys add Nk*eps.
%! cases = read_cases ();
%! for n = 1:36
%!   [Q, K, V, options, Y, W] = unpack (cases{n});
%!   d = size (Q, 2);
%!   place = find (strcmp (options, 'Scale'));
%!   scale = 1 / sqrt (d);
%!   if (! isempty (place))
%!     scale = options{place+1};
%!   end
%!   largest = max (max (scale * abs (Q) * abs (K)'));
%!   place = find (strcmp (options, 'Mask'));
%!   if (! isempty (place) && ! islogical (options{place+1}))
%!     largest = largest + max (abs (options{place+1}(:)));
%!   end
%!   tol = eps ('single') * (2 * (d + 2) * largest + size (K, 1) + 8);
%!   for f = versions
%!     [y, w] = f{1} (single (Q), single (K), single (V), options{:});
%!     assert (class (y), 'single');
%!     assert (class (w), 'single');
%!     assert (double (y), Y, tol * max (1, max (abs (V(:)))));
%!     assert (double (w), W, tol);
%!   end
%! end
