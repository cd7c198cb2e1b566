% [m, z] = online_sums (s): the largest score m and z = sum (exp (s - m)).  Lab 2: to be completed.

function [m, z] = online_sums (s)
  m = -Inf;
  z = 0;
  for j = 1:numel (s)
    % here m and z take in s(j)
  end
end
