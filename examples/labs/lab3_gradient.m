% %% [markdown]
% # Lab 3: the gradient of attention against finite differences
%
% For a loss `f = sum (sum (dY .* Y))`, `Y = attention (Q, K, V)`, the function `attention_grad`
% returns the exact derivatives dQ, dK, dV.  A finite difference approximates the same numbers.
%
% 1. Complete `forward_difference.m`, which returns the derivatives of f by all elements of X by
%    `(f (X + h*E) - f (X)) / h`, where E is 1 at one element.  Check dQ with h = 1e-6.  How many
%    digits agree?  Then complete `central_difference.m`: `(f (X + h*E) - f (X - h*E)) / (2*h)`.
% 2. Plot the error of both against `h = 10.^(0:-0.25:-15)`, both axes logarithmic.  Why is the
%    curve a V?  Which slope has each arm, and what explains it?
% 3. The truncation error is about C*h (forward) or C*h^2 (central), the rounding error about
%    eps*f/h.  Derive the best h for both and compare with the plot.
% 4. What is the error of the derivative by V?  Why has it no truncation error?
% 5. Why do the rows of dS, the gradient by the scores, add up to zero?  (What happens to the
%    weights when the same number is added to all scores of a query?)
%
% `lab_check (3)` says what holds of your functions and what does not.  A solution is in the folder
% `solutions`.

% %%
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  addpath (here);
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', 'scripts'));
  end
end
Q = [0.3 -0.2; 0.1 0.5];
K = [0.7 0.1; -0.4 0.2; 0.5 -0.6];
V = [1 2; 3 4; 5 7];
dY = [1 -1; 0.5 2];
f = @(Q) sum (sum (dY .* attention (Q, K, V)));
dQ = attention_grad (Q, K, V, dY);
printf ('exact derivative by Q(1,1): %.15f\n', dQ(1,1));
printf ('yours:                      %.15f\n', forward_difference (f, Q, 1e-6)(1,1));
