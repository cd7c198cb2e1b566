function [Y, W] = bench_plain (Q, K, V, causal)
  % [Y, W] = bench_plain (Q, K, V, causal) -- attention as one writes it in Octave.

  S = Q * K' / sqrt (columns (Q));
  if (causal)
    S(triu (true (size (S)), 1)) = -Inf;
  end
  W = exp (S - max (S, [], 2));
  W = W ./ sum (W, 2);
  Y = W * V;
end
