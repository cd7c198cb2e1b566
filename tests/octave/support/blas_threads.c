/* n = blas_threads (): how many threads OpenBLAS uses in this process, 0 when BLAS is another one.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <string.h>

#include <mex.h>

void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs, (void)prhs;
  void *symbol = dlsym (RTLD_DEFAULT, "openblas_get_num_threads");
  int (*threads) (void) = NULL;
  memcpy (&threads, &symbol, sizeof threads);
  plhs[0] = mxCreateDoubleScalar (threads != NULL ? threads () : 0);
}
