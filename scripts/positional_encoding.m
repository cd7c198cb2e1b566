%% -*- texinfo -*-
%% @deftypefn  {} {@var{P} =} positional_encoding (@var{N}, @var{d})
%% Sinusoidal position vectors for @var{N} tokens of @var{d} numbers.
%%
%% Row @math{p + 1} of the @var{N}-by-@var{d} result belongs to position @math{p = 0, 1, @dots{}};
%% its columns come in pairs @math{i = 0, 1, @dots{}} of falling frequency:
%%
%% @example
%% @group
%% P(p+1, 2*i+1) = sin (p / 10000^(2*i/d))
%% P(p+1, 2*i+2) = cos (p / 10000^(2*i/d))
%% @end group
%% @end example
%%
%% With odd @var{d} the last column is a sine without its cosine.  All numbers are between -1 and 1,
%% and the vector of position @math{p + k} is a rotation of that of @math{p} which depends on
%% @math{k} only: that is how a distance can be seen.
%%
%% Attention alone does not know the order of the tokens; add @var{P} to their vectors before
%% queries, keys and values are made from them.
%%
%% Reference: A. Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
%% @url{https://arxiv.org/abs/1706.03762}.
%%
%% @example
%% @group
%% X = X + positional_encoding (rows (X), columns (X));
%% @end group
%% @end example
%% @seealso{attention}
%% @end deftypefn

function P = positional_encoding (N, d)
  if (nargin ~= 2)
    print_usage ();
  end
  check_count (N, 'N');
  check_count (d, 'd');
  N = double (N);
  d = double (d);

  position = (0:N-1)';
  pair = floor ((0:d-1) / 2);
  angle = position ./ 10000 .^ (2 * pair / d);
  P = zeros (N, d);
  P(:,1:2:end) = sin (angle(:,1:2:end));
  P(:,2:2:end) = cos (angle(:,2:2:end));
end

function check_count (n, name)
  if (~ (isnumeric (n) && isreal (n) && numel (n) == 1))
    error ('attention:bad-type', '%s', sprintf (['positional_encoding: %s must be one real ' ...
           'number; got %d-by-%d of class %s'], name, size (n, 1), size (n, 2), class (n)));
  elseif (~ (n >= 0 && n == fix (n) && n < Inf))
    error ('attention:out-of-range', '%s', sprintf (['positional_encoding: %s must be a whole ' ...
           'number from 0; got %g'], name, n));
  end
end

%!test
%! % Values of the formula, worked out by hand for d = 4: frequencies 1 and 1/100.
%! P = positional_encoding (3, 4);
%! assert (P, [0, 1, 0, 1;
%!             sin(1), cos(1), sin(0.01), cos(0.01);
%!             sin(2), cos(2), sin(0.02), cos(0.02)], 2 * eps);

%!test
%! % Position p + k is position p, rotated in each pair of columns by k times its frequency.
%! d = 16;
%! k = 5;
%! P = positional_encoding (40, d);
%! for i = 1:2:d
%!   turn = k / 10000 ^ ((i - 1) / d);
%!   R = [cos(turn), -sin(turn); sin(turn), cos(turn)];
%!   assert (P(1+k:end,i:i+1), P(1:end-k,i:i+1) * R, 50 * eps);
%! end

%!test
%! % An odd width ends with a sine.
%! P = positional_encoding (7, 5);
%! assert (P(:,5), sin ((0:6)' / 10000 ^ (4 / 5)), 10 * eps);

%!assert (positional_encoding (0, 4), zeros (0, 4))
%!assert (positional_encoding (3, 0), zeros (3, 0))
%!assert (positional_encoding (1, 3), [0, 1, 0])
%!assert (positional_encoding (int8 (2), single (2)), [0, 1; sin(1), cos(1)], eps)

%!error <Invalid call> positional_encoding (3)
%!error <Invalid call> positional_encoding ()
%!error id=attention:bad-type positional_encoding ('ab', 2)
%!error <N must be one real number; got 1-by-2 of class char> positional_encoding ('ab', 2)
%!error <d must be one real number; got 2-by-2 of class double> positional_encoding (3, eye (2))
%!error <d must be one real number; got 1-by-1 of class double> positional_encoding (3, 2i)
%!error id=attention:out-of-range positional_encoding (-1, 2)
%!error <N must be a whole number from 0; got -1> positional_encoding (-1, 2)
%!error <d must be a whole number from 0; got 2.5> positional_encoding (1, 2.5)
%!error <N must be a whole number from 0; got Inf> positional_encoding (Inf, 2)
