% S = attention_scores (Q, K, scale, see, added)
%
% S = scale*Q*K' + added, and -Inf where a query may not see a key.  Rows in which this leaves the
% range of double, although all numbers that go in are finite, are given less their largest score:
% softmax takes that off anyway.
%
% Q Nq-by-d, K Nk-by-d, see and S Nq-by-Nk, added Nq-by-Nk or 0.

function S = attention_scores (Q, K, scale, see, added)
  S = scale * (Q * K') + added;
  lost = find (any (see & ~ isfinite (S), 2));
  S(~ see) = -Inf;
  if (isempty (lost))
    return;
  end
  added = added + zeros (size (S));
  for i = lost'
    j = see(i,:);
    if (all (isfinite (Q(i,:))) && all (all (isfinite (K(j,:)))) && all (isfinite (added(i,j))))
      S(i,j) = shifted_scores (Q(i,:), K(j,:), scale, added(i,j));
    end
  end
end

% s = scale*q*K' + added less its maximum.  With q = 2^eq * q1, K = 2^ek * K1 and
% scale = 2^es * f, the numbers q1, K1 and f are at most 1, and 2^(eq+ek+es) comes last.
function s = shifted_scores (q, K, scale, added)
  [~, eq] = log2 (max (abs (q)));
  [~, ek] = log2 (max (abs (K(:))));
  [f, es] = log2 (scale);
  e = eq + ek + es;
  up = max (e, 0);
  s = times_power (f * (times_power (q, -eq) * times_power (K, -ek)'), e - up);
  s = s + times_power (added, -up);
  s = times_power (s - max (s), up);
end

% x * 2^e in four steps, as 2^e alone may be out of range.
function x = times_power (x, e)
  step = fix (e / 4);
  x = x * 2^step * 2^step * 2^step * 2^(e - 3 * step);
end
