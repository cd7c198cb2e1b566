% Lab 4: what attention costs, and how close to the machine's limits it runs.
%
% Y = softmax (Q*K'/sqrt (d)) * V takes about 4*N^2*d floating-point operations for N tokens of d
% numbers: two matrix products of 2*N^2*d each.
%
% 1. Time attention (Q, K, V) for N = 256, 512, ..., 4096 with d = 64.  Fit the exponent of N.
%    Then keep N = 1024 and change d.  Which exponent do you expect, and why is it smaller for
%    small d?
% 2. Measure two limits of this machine: the peak, from A*B of two large matrices, in operations a
%    second; and the memory bandwidth, from the sum of a vector far larger than the caches, in
%    bytes a second.
% 3. Arithmetic intensity is operations per byte that must come from memory.  Compute it for
%    attention (Q, K, V read once, Y written once), for A*B, and for a matrix times a vector.
%    Draw the roofline: attainable operations a second = min (peak, intensity * bandwidth), both
%    axes logarithmic, and put attention into it.
% 4. Is attention limited by memory or by arithmetic?  What about the plain three-line formula,
%    which writes and reads the N-by-N matrix several times?
%
% A checked solution is in lab4_solution.m.

addpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'scripts'));
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
% continue here
