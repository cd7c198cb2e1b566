% Lab 5: how much of the weight matrix is needed?
%
% The N-by-N matrix of attention weights W is rarely of full rank in practice: its singular values
% fall quickly, and a product of two thin matrices comes close to it (this is what linear-cost
% variants of attention rely on).
%
% 1. Compute W of attention for N = 200 tokens with d = 8 random numbers, and its singular
%    values.  How many of them are above 1 % of the largest?
% 2. Let W_r be the best approximation of rank r from the SVD.  Plot norm (W - W_r) against r.
%    Check that it is the singular value number r + 1 (Eckart and Young 1936).
% 3. Multiply the queries by 4, which makes the softmax sharper.  What happens to the singular
%    values? And with a causal mask?
% 4. W * V costs 2*N^2*dv operations.  What does W_r * V cost when the thin factors are known?  Up
%    to which r does it pay, and why does nobody simply compute the SVD?
%
% A checked solution is in lab5_solution.m.

addpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'scripts'));
N = 200;
Q = randn (N, 8);
K = randn (N, 8);
[~, W] = attention (Q, K, eye (N));
s = svd (W);
printf ('largest singular value %.3f, number ten %.3f\n', s(1), s(10));
% continue here
