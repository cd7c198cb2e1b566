/* [dQ, dK, dV] = attention_grad (Q, K, V, dY, options...); scripts/attention_grad.m carries the
 * help. */
#include "marshal_attention.h"

/* output_like -- a result of the size of INPUT. */
static mxArray *output_like (const char *name, const mxArray *input, bool single)
{
  size_t dims[ATTENTION_INPUT_DIMS], ndims = (size_t)mxGetNumberOfDimensions (input);
  for (size_t t = 0; t < ndims; t++)
    dims[t] = (size_t)mxGetDimensions (input)[t];
  return marshal_output (name, ndims, dims, single ? mxSINGLE_CLASS : mxDOUBLE_CLASS);
}

void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  attention_request r;
  attn_attention a;
  attn_error err;
  if (nrhs < 4)
    marshal_usage ("attention_grad");
  marshal_check_outputs ("attention_grad", nlhs, 3);
  attention_read (&r, &a, 4, nrhs, prhs);

  attn_attention_gradient g = {.dy = a.y, .dq = a.q, .dk = a.k, .dv = a.v};
  g.dy.data = marshal_floats (r.dy, "dY", r.single);
  g.dq.data = g.dk.data = g.dv.data = NULL;
  plhs[0] = output_like ("dQ", r.q, r.single);
  g.dq.data = mxGetData (plhs[0]);
  if (nlhs > 1) {
    plhs[1] = output_like ("dK", r.k, r.single);
    g.dk.data = mxGetData (plhs[1]);
  }
  if (nlhs > 2) {
    plhs[2] = output_like ("dV", r.v, r.single);
    g.dv.data = mxGetData (plhs[2]);
  }

  attn_run run = marshal_run ();
  attn_status status = attn_attention_backward (&a, &g, &run, &err);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
}
