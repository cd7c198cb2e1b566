% [m, z] = online_sums (s): the largest score m and z = sum (exp (s - m)), in one pass.

function [m, z] = online_sums (s)
  m = -Inf;
  z = 0;
  for j = 1:numel (s)
    if (s(j) > m)
      z = z * exp (m - s(j)) + 1;
      m = s(j);
    elseif (s(j) > -Inf)
      z = z + exp (s(j) - m);
    end
  end
end
