% Y = blocked_attention (Q, K, V, block): attention by BLOCK keys at a time.  Lab 2: to be
% completed.

function Y = blocked_attention (Q, K, V, block)
  scale = 1 / sqrt (columns (Q));
  m = -Inf (rows (Q), 1);
  z = zeros (rows (Q), 1);
  Y = zeros (rows (Q), columns (V));
  for first = 1:block:rows (K)
    part = first:min (first + block - 1, rows (K));
    S = scale * Q * K(part,:)';
    % here m, z and Y take in the scores S of these keys
  end
end
