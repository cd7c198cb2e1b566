%% index = draw (weights, n)
%% N random indices (n-by-1) into WEIGHTS, each with probability weights(i)/sum (weights).

function index = draw (weights, n)
  edges = cumsum (weights(:)) / sum (weights);
  index = min (lookup (edges, rand (n, 1)) + 1, numel (weights));
end
