% Lab 1: softmax, overflow, and the error of float and double.
%
% Attention turns scores into weights by w(j) = exp (s(j)) / sum (exp (s)).
%
% 1. Run this script.  For which scores does the plain formula break down, in double and in
%    single, and what does it return?  Which number of the floating-point format explains the
%    limits?
% 2. Show on paper that softmax (s - c) = softmax (s) for every number c.  Which c makes sure that
%    no exponential overflows and that at least one of them does not underflow?  Change
%    my_softmax.
% 3. Measure the error of your function in single against double on random scores, for 10, 100,
%    1000, 10000 scores.  How does it compare with eps ('single')?  Does it grow with the number?
% 4. What does your function return for a score of -Inf?  When is that what you want?
%
% A checked solution is in lab1_solution.m.

my_softmax = @(s) exp (s) ./ sum (exp (s));      % change this line

for largest = [10 80 90 700 710]
  s = [0 largest];
  printf ('scores 0 and %3d:  double %s  single %s\n', largest, mat2str (my_softmax (s), 4), ...
          mat2str (double (my_softmax (single (s))), 4));
end
