%% -*- texinfo -*-
%% @deftypefn  {} {@var{dQ} =} attention_grad (@var{Q}, @var{K}, @var{V}, @var{dY})
%% @deftypefnx {} {[@var{dQ}, @var{dK}, @var{dV}] =} attention_grad (@dots{})
%% @deftypefnx {} {[@dots{}] =} attention_grad (@dots{}, "causal")
%% @deftypefnx {} {[@dots{}] =} attention_grad (@dots{}, @var{numHeads})
%% @deftypefnx {} {[@dots{}] =} attention_grad (@dots{}, @var{name}, @var{value}, @dots{})
%% Gradients of attention, as backpropagation needs them.
%%
%% Let @var{Y} be @code{attention (@var{Q}, @var{K}, @var{V}, @dots{})}, and let a number @math{L}
%% (a loss) depend on @var{Y}.  Given @var{dY}, the derivatives of @math{L} by the elements of
%% @var{Y}, the results are its derivatives by those of @var{Q}, @var{K} and @var{V}:
%%
%% @example
%% @group
%% W  = weights of attention           Y = W*V
%% dV = W' * dY
%% dW = dY * V'
%% dS = W .* (dW - sum (W .* dW, 2))   softmax:  the rows of dS sum to 0
%% dQ = scale * dS * K                 scale is 1 / sqrt (columns (Q))
%% dK = scale * dS' * Q
%% @end group
%% @end example
%%
%% All options of @code{attention} are there and mean the same: pages, heads, @qcode{"causal"},
%% @qcode{"Mask"}, @qcode{"Window"}, @qcode{"Scale"}.  @var{dY} has the size of @var{Y}; @var{dQ},
%% @var{dK} and @var{dV} have the sizes of @var{Q}, @var{K} and @var{V}.  Where several pages or
%% heads of @var{Q} share one of @var{K} and @var{V}, what they give adds up.  If one of the four
%% matrices is single, all are used as single and the results are single.
%%
%% A query that may see nothing has a gradient of 0, and so has a key or value that no query may
%% see.  A key or value that a query may not see never matters to it, not even as NaN or Inf.
%%
%% @strong{Cost.}  The weights are computed again, block by block: no
%% @math{N_q}-by-@math{N_k} matrix is ever stored.  @math{2 N_q N_k (3d + 2d_v)} floating-point
%% operations a page, half with @qcode{"causal"}: about two and a half times those of
%% @code{attention}.
%%
%% @strong{Errors.}  @code{attention:bad-type}, @code{attention:size-mismatch},
%% @code{attention:bad-option}, @code{attention:out-of-range}, @code{attention:no-memory}.
%%
%% Where nothing has been compiled, the reference implementation in @file{attention_grad.m} runs.
%%
%% Reference: T. Dao et al., "FlashAttention", 2022, appendix B.4,
%% @url{https://arxiv.org/abs/2205.14135}.
%%
%% @example
%% @group
%% Q = [1 0; 0 1];  K = [1 0; 1 1];  V = [1; 3];
%% L = @@(Q) sum (attention (Q, K, V));
%% dQ = attention_grad (Q, K, V, [1; 1]);
%% step = 1e-6 * [0 1; 0 0];
%% dQ(1,2) - (L (Q + step) - L (Q - step)) / 2e-6
%%   @result{} less than 1e-9
%% @end group
%% @end example
%% @seealso{attention, gpt2_train}
%% @end deftypefn

function [dQ, dK, dV] = attention_grad (Q, K, V, dY, varargin)
  if (nargin < 4)
    print_usage ();
  end
  attention_reference_warning ();
  a = attention_arguments (Q, K, V, varargin, dY);

  % Heads that share a page of K and V add to the same sums.
  sums_k = zeros (size (a.K));
  sums_v = zeros (size (a.V));
  dQ = attention_zeros ([a.Nq, a.d, a.pages], a.class, 'dQ');
  rows = max (1, floor (2^20 / max (1, a.Nk)));     % queries at a time: memory stays small
  for p = 1:prod (a.pages)
    kv = a.kv(p);
    for first = 1:rows:a.Nq
      i = first:min (first + rows - 1, a.Nq);
      [see, added] = attention_see (a, i, p);
      [dq, dk, dv] = pass_back (a.Q(i,:,p), a.K(:,:,kv), a.V(:,:,kv), a.dY(i,:,p), a.scale, ...
                                see, added);
      dQ(i,:,p) = dq;
      sums_k(:,:,kv) = sums_k(:,:,kv) + dk;
      sums_v(:,:,kv) = sums_v(:,:,kv) + dv;
    end
  end
  dQ = reshape (dQ, size (Q));
  dK = reshape (cast (sums_k, a.class), size (K));
  dV = reshape (cast (sums_v, a.class), size (V));
end

% Gradients of some queries in one head, and their share in those of its keys and values; arguments
% as in attention.m, and dY n-by-dv.
function [dQ, dK, dV] = pass_back (Q, K, V, dY, scale, see, added)
  % 1.  The weights, as in attention.m.
  S = attention_scores (Q, K, scale, see, added);
  E = exp (S - max (S, [], 2));
  W = E ./ sum (E, 2);
  W(~ see) = 0;

  % 2.  Y = W*V.
  dW = dY * V';
  dW(~ see) = 0;
  dV = attention_blend (W', dY, see');

  % 3.  W = softmax of each row of S: a weight can only grow at the cost of the others.
  dS = W .* (dW - sum (W .* dW, 2));
  dS(~ see) = 0;

  % 4.  S = scale*Q*K' + added.
  dQ = scale * attention_blend (dS, K, see);
  dK = scale * attention_blend (dS', Q, see');
end

%!shared Q, K, V, dY
%! Q = [1, 0; 0, 1; 1, 1];
%! K = [1, 0; 0, 1; 0.9, 0.1];
%! V = [10, 0; 0, 10; 5, 5];
%! dY = [1, 2; 0, -1; 0.5, 0];

%!test
%! % The formula, written out.
%! [~, W] = attention (Q, K, V);
%! dS = W .* (dY * V' - sum (dY .* (W * V), 2));
%! [dQ, dK, dV] = attention_grad (Q, K, V, dY);
%! assert (dQ, dS * K / sqrt (2), 1e-14);
%! assert (dK, dS' * Q / sqrt (2), 1e-14);
%! assert (dV, W' * dY, 1e-14);

%!test
%! % A small change of Q, K and V changes the loss by the gradients times the change.
%! loss = @(t) sum (sum (dY .* attention (Q + t * dY, K - t * dY, V + 2 * t * dY, 'causal')));
%! [dQ, dK, dV] = attention_grad (Q, K, V, dY, 'causal');
%! slope = sum (sum (dY .* (dQ - dK + 2 * dV)));
%! assert ((loss (1e-5) - loss (-1e-5)) / 2e-5, slope, 1e-7);

%!test
%! % Two heads by number are two calls.
%! [dQ, dK, dV] = attention_grad (Q, K, V, dY, 2);
%! [q, k, v] = attention_grad (Q(:,2), K(:,2), V(:,2), dY(:,2));
%! assert ({dQ(:,2), dK(:,2), dV(:,2)}, {q, k, v});

%!test
%! % Nothing to see, nothing to learn.
%! [dQ, dK, dV] = attention_grad (Q, K, V, dY, 'Mask', false);
%! assert ({dQ, dK, dV}, {zeros(3, 2), zeros(3, 2), zeros(3, 2)});

%!test
%! [dQ, dK, dV] = attention_grad (Q, K, V, single (dY));
%! assert ({class(dQ), class(dK), class(dV)}, {'single', 'single', 'single'});

%!error <Invalid call to attention_grad> attention_grad (1, 2, 3)
%!error id=attention:size-mismatch attention_grad (Q, K, V, [1, 2])
%!error id=attention:bad-option attention_grad (Q, K, V, dY, 'Dropout', 1)
