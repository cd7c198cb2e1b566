function [dQ, dK, dV] = bench_plain_grad (Q, K, V, dY, causal)
  % [dQ, dK, dV] = bench_plain_grad (Q, K, V, dY, causal) -- gradients of attention as one
  % writes them in Octave.

  [Y, W] = bench_plain (Q, K, V, causal);
  dS = W .* (dY * V' - sum (dY .* Y, 2)) / sqrt (columns (Q));
  dQ = dS * K;
  dK = dS' * Q;
  dV = W' * dY;
end
