% %% [markdown]
% # Lab 1: softmax, overflow, and rounding
%
% Attention turns scores into weights by `w(j) = exp (s(j)) / sum (exp (s))`, the softmax.
%
% 1. Run this script.  For which scores does the plain formula break down, in double and in
%    single, and what does it return?  There are two ways to break it.  Which numbers of the
%    floating-point format explain the limits?
% 2. Show on paper that `softmax (s - c) = softmax (s)` for every number c.  Which c makes sure
%    that no exponential overflows, and that not all of them become 0?  Change `my_softmax.m`.
% 3. Measure the error of your function in single against double on random scores.  Let the
%    number of scores grow from 10 to 10^6, then let their size grow.  Compare with
%    `eps ('single')`.  Where does each part of the error come from?
% 4. What does your function return for a score of -Inf?  When is that what you want?
%
% `lab_check (1)` says what holds of your function and what does not.  A solution is in the folder
% `solutions`.

% %%
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  addpath (here);
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', 'scripts'));
  end
end
for largest = [10 80 90 700 710]
  s = [0 largest];
  printf ('scores 0 and %4d:  double %s  single %s\n', largest, mat2str (my_softmax (s), 4), ...
          mat2str (double (my_softmax (single (s))), 4));
end
for largest = [-80 -110 -700 -750]
  s = [largest largest];
  printf ('scores %4d twice:  double %s  single %s\n', largest, mat2str (my_softmax (s), 4), ...
          mat2str (double (my_softmax (single (s))), 4));
end
