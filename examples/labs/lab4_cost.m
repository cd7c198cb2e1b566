% %% [markdown]
% # Lab 4: what attention costs, and how close to the machine's limits it runs
%
% `Y = softmax (Q*K'/sqrt (d)) * V` takes about 4*N^2*d floating-point operations for N tokens of d
% numbers: two matrix products of 2*N^2*d each.
%
% Compare like with like: a product of matrices, `attention` and other programs use as many
% processors as they find, each in its own way.  So measure with one thread: start Octave by
% `OMP_NUM_THREADS=1 octave` (this script does so by itself when it has to), and check that the
% processor time (`cputime`) of a computation is its time on the clock (`tic`, `toc`).
%
% 1. Complete `best_time.m`.  Time `attention (Q, K, V)` for N = 512, 1024, 2048, 4096 with d = 64.
%    Fit the exponent of N.  Then keep N = 1024 and change d.  Which exponent do you expect, and why
%    is it smaller for small d?
% 2. Measure the peak of arithmetic, in operations a second, in two ways: by A*B of two large
%    matrices, and by attention with wide heads (d = 256), where exponentials hardly count.  Take
%    the larger one: a library that does not know your processor stays far below it.
% 3. Measure the bandwidth of memory, in bytes a second.  Traps: `sum` adds one number after the
%    other, which is slower than the memory; `zeros` gives memory that is not there before it is
%    written; and what fits into the caches does not come from memory.  So let a product of vectors
%    run over more and more of them until its speed no longer falls, and check the result by a
%    second way, a matrix times a vector.
% 4. Complete `attainable_speed.m`, the roofline: operations a second that a computation can reach
%    when it does so many operations for each byte that must come from memory.  Compute the
%    operations per byte of attention (Q, K, V read once, Y written once), of A*B, and of a matrix
%    times a vector.  Draw the roofline, both axes logarithmic, and put attention into it.
% 5. Is attention limited by memory or by arithmetic?  What about the plain three-line formula,
%    which writes and reads the N-by-N matrix several times?
%
% `lab_check (4)` says what holds of your functions and what does not.  A solution is in the folder
% `solutions`.

% %%
here = fileparts (mfilename ('fullpath'));
if (~ isempty (here))                        % a notebook is in the right place already
  addpath (here);
  if (~ exist ('attention', 'file'))
    addpath (fullfile (here, '..', '..', 'scripts'));
  end
end
N = 1024;
d = 64;
Q = randn (N, d, 'single');
K = randn (N, d, 'single');
V = randn (N, d, 'single');
attention (Q, K, V);
tic;
attention (Q, K, V);
seconds = toc;
printf ('N = %d, d = %d: %.2f ms, %.1f GFLOP/s\n', N, d, 1e3 * seconds, ...
        4 * N^2 * d / seconds / 1e9);
