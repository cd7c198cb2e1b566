% Lab 2: softmax in one pass, and attention by blocks of keys.
%
% The shifted softmax of lab 1 reads the scores three times: for the largest, for the sum, for the
% weights.  A running maximum m and a running sum z need one pass (Milakov and Gimelshein 2018):
% when a larger score s comes, the sum so far belongs to the old maximum and is multiplied by exp
% (m - s).
%
% 1. Write online_sums (s) that returns m = max (s) and z = sum (exp (s - m)) in one loop over s.
% 2. The weighted mean of values v can be carried along in the same loop: y = sum (exp (s - m) .*
%    v). What has to be done to y when m changes?  At the end y / z is the result of attention.
% 3. Do the same for blocks of keys: S = scale * Q * K(block,:)', a vector of m and z for all
%    queries. Compare with attention (Q, K, V) for block sizes 1, 7, 64.
% 4. How much memory does the blocked version need for N queries and keys, and how much does the
%    plain formula need?  At which N does the plain formula fill the memory of this machine?
%
% A checked solution is in lab2_solution.m.

s = [3 1 4 1 5 9 2 6];

m = -Inf;
z = 0;
for j = 1:numel (s)
  % complete this loop: after it, m and z must be what the next line prints
end
printf ('yours: %g %g, should be: %g %g\n', m, z, max (s), sum (exp (s - max (s))));
