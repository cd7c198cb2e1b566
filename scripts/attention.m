%% -*- texinfo -*-
%% @deftypefn  {} {@var{Y} =} attention (@var{Q}, @var{K}, @var{V})
%% @deftypefnx {} {[@var{Y}, @var{W}] =} attention (@var{Q}, @var{K}, @var{V})
%% @deftypefnx {} {[@dots{}] =} attention (@dots{}, "causal")
%% @deftypefnx {} {[@dots{}] =} attention (@dots{}, @var{numHeads})
%% @deftypefnx {} {[@dots{}] =} attention (@dots{}, @var{name}, @var{value}, @dots{})
%% Scaled dot-product attention: every token gets a weighted mean of all values.
%%
%% @example
%% @group
%% S = Q*K' / sqrt (columns (Q))       scores:  how well query i matches key j
%% W = exp (S) ./ sum (exp (S), 2)     weights: each row is positive and sums to 1
%% Y = W*V                             one new vector for each token
%% @end group
%% @end example
%%
%% Rows are tokens.  @var{Q} (queries) is @math{N_q}-by-@math{d}, @var{K} (keys)
%% @math{N_k}-by-@math{d}, @var{V} (values) @math{N_k}-by-@math{d_v}.  @var{Y} is
%% @math{N_q}-by-@math{d_v} and @var{W} is @math{N_q}-by-@math{N_k}: row @math{i} tells where token
%% @math{i} looks.  The result is right also where the scores, or their exponentials, leave the
%% range of the class.
%%
%% @strong{Pages.}  3-D and 4-D arguments are stacks of such matrices, usually heads and batches;
%% each page is worked on alone.  @var{K} and @var{V} may have fewer pages than @var{Q}, in each
%% dimension, when the count divides: neighbouring query pages then share one (grouped queries).
%% @var{Y} and @var{W} have the pages of @var{Q}.
%%
%% @strong{Heads.}  @var{numHeads}, a number at any place after @var{V} (or the option
%% @qcode{"NumHeads"}), cuts the columns into that many heads of equal width: the first
%% @math{d} columns are head 1, and so on.  @var{K} and @var{V} may have fewer heads when the count
%% divides.  @var{Y} holds the heads side by side, @math{N_q}-by-@math{d_v H}; @var{W} is
%% @math{N_q}-by-@math{N_k}-by-@math{H}, followed by the pages if there are any.
%%
%% @strong{Options}, in any order; names in upper or lower case; the last one given counts:
%%
%% @table @asis
%% @item @qcode{"causal"}
%% A query sees no later token.  The queries are taken as the last @math{N_q} of the @math{N_k}
%% tokens, so query @math{i} sees the keys 1 to @math{i + N_k - N_q}; with @math{N_q = N_k} that is
%% the lower triangle.  A logical value may follow: @code{"Causal", false}.
%%
%% @item @qcode{"Mask"}, @var{M}
%% Logical: true where query @math{i} may see key @math{j}.  Numeric (double or single): added to
%% the scores, with @code{-Inf} for what may not be seen; a numeric mask of only 0 and 1 is probably
%% meant to be logical and gives the warning @code{attention:binary-mask}.  @var{M} has the size of
%% @var{W}, or 1 in some dimensions: a row, a column, or fewer pages are repeated.
%%
%% @item @qcode{"Window"}, [@var{left} @var{right}]
%% A query sees at most so many tokens before and after its own position; whole numbers or
%% @code{Inf}.  Positions are counted as for @qcode{"causal"}.
%%
%% @item @qcode{"Scale"}, @var{s}
%% The factor in place of @math{1/sqrt(d)}, @math{d} being the columns of one head; any finite
%% number, 0 too.
%%
%% @item @qcode{"NumHeads"}, @var{H}
%% The same as @var{numHeads}.
%% @end table
%%
%% What causal, window and mask forbid adds up.  A query that may see nothing has weights 0 and a
%% row of zeros.  A key or value that may not be seen never matters, not even as NaN or Inf; what
%% may be seen and is NaN makes the result NaN.
%%
%% @strong{Classes.}  @var{Q}, @var{K} and @var{V} are full, real, double or single.  If one of them
%% is single, all are used as single and the results are single.  Ranges, diagonal and permutation
%% matrices are taken as the matrices they stand for.  Empty sizes act as sums do: no keys give
%% zeros, no columns in @var{Q} and @var{K} give equal weights.
%%
%% @strong{Cost.}  @math{2 N_q N_k (d + d_v)} floating-point operations a page, half with
%% @qcode{"causal"}.  As long as only @var{Y} is asked for, no @math{N_q}-by-@math{N_k} matrix is
%% ever stored.
%%
%% @strong{Errors.}  @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}, @code{attention:out-of-range}, @code{attention:no-memory}.
%%
%% Where nothing has been compiled, the reference implementation in @file{attention.m} runs, with
%% one warning @code{attention:not-compiled}: the same results, slowly.  Read it to see how
%% attention works.
%%
%% Reference: A. Vaswani et al., "Attention Is All You Need", 2017, equation 1,
%% @url{https://arxiv.org/abs/1706.03762}.
%%
%% @example
%% @group
%% Q = [1 0; 0 1; 1 1];  K = [1 0; 0 1; 0.9 0.1];  V = [10 0; 0 10; 5 5];
%% [Y, W] = attention (Q, K, V)
%%   @result{} Y = 6.0453 3.9547     W = 0.4124 0.2033 0.3843
%%       3.7466 6.2534         0.2438 0.4945 0.2617
%%       5.0000 5.0000         0.3333 0.3333 0.3333
%% @end group
%% @end example
%% @seealso{attention_grad, positional_encoding, attention_heatmap, gpt2_attn}
%% @end deftypefn

function [Y, W] = attention (Q, K, V, varargin)
  if (nargin < 3)
    print_usage ();
  end
  attention_reference_warning ();
  a = attention_arguments (Q, K, V, varargin);

  Y = attention_zeros ([a.Nq, a.dv, a.pages], a.class, 'Y');
  if (nargout > 1)
    W = attention_zeros ([a.Nq, a.Nk, a.pages], a.class, 'W');
  end
  rows = max (1, floor (2^20 / max (1, a.Nk)));     % queries at a time: memory stays small
  for p = 1:prod (a.pages)
    for first = 1:rows:a.Nq
      i = first:min (first + rows - 1, a.Nq);
      [see, added] = attention_see (a, i, p);
      kv = a.kv(p);
      [y, w] = attend (a.Q(i,:,p), a.K(:,:,kv), a.V(:,:,kv), a.scale, see, added);
      Y(i,:,p) = y;
      if (nargout > 1)
        W(i,:,p) = w;
      end
    end
  end
  Y = reshape (Y, a.shape_y);
  if (nargout > 1)
    W = reshape (W, a.shape_w);
  end
end

% Attention of some queries in one head.  Q n-by-d, K Nk-by-d, V Nk-by-dv; see: n-by-Nk, true where
% a query may look; added: what a numeric mask adds to the scores.
function [Y, W] = attend (Q, K, V, scale, see, added)
  % 1. and 2.  Compare every query with every key, and scale: S = scale*Q*K' + added.
  S = attention_scores (Q, K, scale, see, added);

  % 3.  Weights.  Taking off the largest score changes no ratio and keeps exp in range.
  E = exp (S - max (S, [], 2));
  W = E ./ sum (E, 2);
  W(~ see) = 0;                       % a row that sees nothing was 0/0

  % 4.  Blend the values.  A value that is NaN or Inf reaches only the queries that see it.
  Y = attention_blend (W, V, see);
end

%!shared Q, K, V
%! Q = [1, 0; 0, 1; 1, 1];
%! K = [1, 0; 0, 1; 0.9, 0.1];
%! V = [10, 0; 0, 10; 5, 5];

%!test
%! % Three tokens by the three lines of the definition, and to two decimals.
%! [Y, W] = attention (Q, K, V);
%! S = Q * K' / sqrt (2);
%! assert (W, exp (S) ./ sum (exp (S), 2), 4 * eps);
%! assert (Y, W * V, 40 * eps);
%! assert (round (100 * W), [41, 20, 38; 24, 49, 26; 33, 33, 33]);
%! assert (round (100 * Y), [605, 395; 375, 625; 500, 500]);

%!test
%! % Each token sees itself and what came before.
%! [Y, W] = attention (Q, K, V, 'causal');
%! assert (W, tril (W));
%! assert (sum (W, 2), ones (3, 1), 4 * eps);
%! assert (Y(1,:), V(1,:));
%! assert (attention (Q(3,:), K, V, 'causal'), Y(3,:), 40 * eps);

%!test
%! % A mask hides, its number is added, a window hides what is far.
%! [~, W] = attention (Q, K, V, 'Mask', logical ([1, 0, 1]));
%! assert (W(:,2), zeros (3, 1));
%! [~, shifted] = attention (Q, K, V, 'Mask', [0, -Inf, 0]);
%! assert (shifted, W, 4 * eps);
%! assert (attention (Q, K, V, 'Window', [0, 0]), V);
%! assert (attention (Q, K, V, 'Scale', 0), repmat (mean (V), 3, 1), 40 * eps);

%!test
%! % Two heads of one column each, by number and as pages.
%! [Y, W] = attention (Q, K, V, 2);
%! [y, w] = attention (reshape (Q, 3, 1, 2), reshape (K, 3, 1, 2), reshape (V, 3, 1, 2));
%! assert (Y, reshape (y, 3, 2), 40 * eps);
%! assert (W, w, 4 * eps);

%!assert (class (attention (single (Q), K, V)), 'single')
%!assert (attention (Q, zeros (0, 2), zeros (0, 5)), zeros (3, 5))

%!error <Invalid call to attention> attention (Q, K)
%!error id=attention:bad-type attention (Q, 'ab', V)
%!error id=attention:size-mismatch attention (Q, K, V(1:2,:))
%!error id=attention:bad-option attention (Q, K, V, 'casual')
%!error id=attention:out-of-range attention (Q, K, V, 1.5)
%!error <Q and K must have the same number of columns; Q is 3-by-2 and K is 3-by-1>
%! attention (Q, K(:,1), V)

%!demo
%! % Three tokens, each with a query, a key and a value.
%! Q = [1, 0; 0, 1; 1, 1];
%! K = [1, 0; 0, 1; 0.9, 0.1];
%! V = [10, 0; 0, 10; 5, 5];
%! [Y, W] = attention (Q, K, V)
%! % Row i of W tells where token i looks; Y(i,:) blends the rows of V in that proportion.

%!demo
%! % Ten tokens that may look back only, and no further than three tokens.
%! X = positional_encoding (10, 8);
%! [~, W] = attention (X, X, X, 'causal', 'Window', [3, 0]);
%! imagesc (W);
%! colorbar ();
%! xlabel ('token looked at');
%! ylabel ('token that looks');
