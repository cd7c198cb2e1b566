function build_blas_threads (folder)
% Builds blas_threads.mex in FOLDER: blas_threads () is how many threads OpenBLAS uses in this
% process, or 0 when BLAS is another library.

  source = fullfile (folder, 'blas_threads.c');
  fid = fopen (source, 'w');
  fputs (fid, ["#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <mex.h>\n" ...
    "void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])\n{\n" ...
    "  void *name = dlsym (RTLD_DEFAULT, \"openblas_get_num_threads\");\n" ...
    "  int (*threads) (void) = (int (*) (void))name;\n" ...
    "  plhs[0] = mxCreateDoubleScalar (threads ? threads () : 0);\n}\n"]);
  fclose (fid);
  [output, status] = mkoctfile ('--mex', '-o', fullfile (folder, 'blas_threads.mex'), source);
  assert (status == 0, output);
end
