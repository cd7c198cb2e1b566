/* [Y, W] = attention (Q, K, V, options...); scripts/attention.m carries the help. */
#include "marshal_attention.h"

void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  attention_request r;
  attn_attention a;
  attn_error err;
  if (nrhs < 3)
    marshal_usage ("attention");
  marshal_check_outputs ("attention", nlhs, 2);
  attention_read (&r, &a, 3, nrhs, prhs);

  mxClassID class_id = r.single ? mxSINGLE_CLASS : mxDOUBLE_CLASS;
  plhs[0] = marshal_output ("Y", ATTENTION_INPUT_DIMS, r.y_dims, class_id);
  a.y.data = mxGetData (plhs[0]);
  if (nlhs > 1) {
    plhs[1] = marshal_output ("W", r.w_ndims, r.w_dims, class_id);
    a.w.data = mxGetData (plhs[1]);
  }

  attn_run run = marshal_run ();
  attn_status status = attn_attention_forward (&a, &run, &err);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
}
