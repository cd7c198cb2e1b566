% %% [markdown]
% # Lab 2: softmax in one pass, and attention by blocks of keys
%
% The shifted softmax of lab 1 reads the scores three times: for the largest, for the sum, for the
% weights.  A running maximum m and a running sum z need one pass (Milakov and Gimelshein 2018):
% when a larger score s comes, the sum so far belongs to the old maximum and is multiplied by
% `exp (m - s)`.
%
% 1. Complete `online_sums.m`: `[m, z] = online_sums (s)` with `m = max (s)` and
%    `z = sum (exp (s - m))`, in one loop over s that looks at each score once.
% 2. The weighted mean of values v can be carried along in the same loop:
%    `y = sum (exp (s - m) .* v)`.  What has to be done to y when m changes?  At the end `y / z` is
%    the result of attention.
% 3. Complete `blocked_attention.m`, which does the same for blocks of keys:
%    `S = scale * Q * K(block,:)'`, a column of m and z for all queries.
% 4. How much memory does the blocked version need for N queries and keys, and how much does the
%    plain formula need?  At which N does the plain formula fill the memory of this machine?
%
% `lab_check (2)` says what holds of your functions and what does not.  A solution is in the folder
% `solutions`.

% %%
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  addpath (here);
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', 'scripts'));
  end
end
s = [3 1 4 1 5 9 2 6];
[m, z] = online_sums (s);
printf ('yours: %g %g, should be: %g %g\n', m, z, max (s), sum (exp (s - max (s))));
