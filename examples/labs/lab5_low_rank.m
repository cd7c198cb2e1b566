% %% [markdown]
% # Lab 5: the rank of the weight matrix
%
% Variants of attention whose cost grows like N replace the N-by-N matrix W of weights by a product
% of two thin matrices.  That works as far as the singular values of W fall quickly.  Do they?
%
% 1. Compute W for N = 200 tokens of d = 8 random numbers.  What is its rank?  Complete
%    `numerical_rank.m`: how many singular values are above a tolerance times the largest.  What
%    do you get for tolerances 1e-2, 1e-3, 1e-6?  So what does "the rank of W is low" mean?
% 2. Complete `low_rank.m`: W_r, the best approximation of rank r by the SVD.  Plot the error
%    `norm (W - W_r)` against r, and check that it is the singular value number r + 1 (Eckart and
%    Young 1936).
% 3. Multiply the queries by 1/4 and by 4: the softmax gets flatter or sharper.  What happens to the
%    numerical rank?  Small scores explain it: `exp (s)` is close to the first k + 1 terms of its
%    series, and a matrix with elements `(q'*k)^j` has a rank of at most the number of monomials
%    of degree j in d variables.  Which rank follows for d = 2, and is it met?
% 4. With a causal mask W is triangular.  Why does no weight on its diagonal vanish, and what is
%    its rank then?  And its numerical rank?
% 5. Take the heads of a trained model, `gpt2_attn (text, ':', ':')`.  Which need many singular
%    values, which few, and what do those with few look at?
% 6. `W * V` costs 2*N^2*dv operations.  What does W_r * V cost when the thin factors are known?
%    Up to which r does it pay, and why does nobody simply compute the SVD?
%
% `lab_check (5)` says what holds of your functions and what does not.  A solution is in the folder
% `solutions`.

% %%
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  addpath (here);
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', 'scripts'));
  end
end
N = 200;
Q = randn (N, 8);
K = randn (N, 8);
[~, W] = attention (Q, K, eye (N));
s = svd (W);
printf ('largest singular value %.3f, number 10 %.3f, number %d %.1e\n', s(1), s(10), N, s(N));
