% Lab 3: the gradient of attention against finite differences.
%
% For a loss f = sum (sum (dY .* Y)), Y = attention (Q, K, V), attention_grad returns the exact
% derivatives dQ, dK, dV.  A finite difference approximates the same numbers.
%
% 1. Check dQ(1,1) by the forward difference (f (Q + h*E) - f (Q)) / h with h = 1e-6.  How many
%    digits agree?  Then use the central difference (f (Q + h*E) - f (Q - h*E)) / (2*h).
% 2. Plot the error of both against h = 10.^(0:-1:-15), both axes logarithmic.  Why is the curve a
%    V? Which slope has each arm, and what explains it?
% 3. The truncation error is about C*h (forward) or C*h^2 (central), the rounding error about
%    eps*f/h. Derive the best h for both and compare with the plot.
% 4. Why do the rows of dS, the gradient by the scores, add up to zero?  (What happens to the
%    weights when the same number is added to all scores of a query?)
%
% A checked solution is in lab3_solution.m.

addpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'scripts'));
Q = [0.3 -0.2; 0.1 0.5];
K = [0.7 0.1; -0.4 0.2; 0.5 -0.6];
V = [1 2; 3 4; 5 7];
dY = [1 -1; 0.5 2];
f = @(Q) sum (sum (dY .* attention (Q, K, V)));
dQ = attention_grad (Q, K, V, dY);
printf ('exact derivative by Q(1,1): %.15f\n', dQ(1,1));
% continue here
