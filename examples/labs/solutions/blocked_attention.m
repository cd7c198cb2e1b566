% [Y, bytes] = blocked_attention (Q, K, V, block): attention by BLOCK keys at a time.  What was
% summed up under the old maximum is multiplied by exp (m - larger), the values as well as the sum.
% BYTES counts what is kept besides the arguments.

function [Y, bytes] = blocked_attention (Q, K, V, block)
  scale = 1 / sqrt (columns (Q));
  m = -Inf (rows (Q), 1);
  z = zeros (rows (Q), 1);
  Y = zeros (rows (Q), columns (V));
  bytes = 0;
  for first = 1:block:rows (K)
    part = first:min (first + block - 1, rows (K));
    S = scale * Q * K(part,:)';
    larger = max (m, max (S, [], 2));
    factor = exp (m - larger);
    S = exp (S - larger);
    z = z .* factor + sum (S, 2);
    Y = Y .* factor + S * V(part,:);
    m = larger;
    bytes = max (bytes, sizeof (S) + sizeof (m) + sizeof (z) + sizeof (factor) + sizeof (Y));
  end
  Y = Y ./ z;
end
