/* The command that runs a model over tokens. */
#include "base/size.h"
#include "__gpt2__.h"

#include <string.h>

/* The arguments of 'forward', checked. */
typedef struct {
  const attn_gpt2 *model;
  const attn_gpt2_config *config;
  size_t T, pairs;
  const int32_t *ids;      /* T */
  const double *pair_list; /* pairs-by-2: layer, head */
  bool want_hidden, want_logits;
  attn_gpt2_request request;
} forward_call;

/* pair_index -- place of row I of the list of pairs among the L*H heads. */
static size_t pair_index (const forward_call *call, size_t i)
{
  double layer = call->pair_list[i], head = call->pair_list[i + call->pairs];
  size_t L = call->config->L, H = call->config->H;
  if (!(layer >= 1 && layer <= (double)L && head >= 1 && head <= (double)H))
    marshal_fail (ATTN_E_RANGE, "layer %g, head %g: the model has layers 1 to %zu, heads 1 to %zu",
                  layer, head, L, H);
  return ((size_t)layer - 1) * H + (size_t)head - 1;
}

static void read_pairs (forward_call *call, const mxArray *a)
{
  size_t elements = mxGetNumberOfElements (a);
  if (!mxIsDouble (a) || !marshal_is_float (a) || (elements > 0 && mxGetN (a) != 2))
    marshal_fail (ATTN_E_TYPE, "the heads must be an n-by-2 double matrix; got %s of class %s",
                  marshal_shape (a).text, marshal_class (a).text);
  call->pairs = elements / 2;
  call->pair_list = elements > 0 ? mxGetData (a) : NULL;
}

/* read_ablate -- A: [] or H-by-L logical. */
static void read_ablate (forward_call *call, const mxArray *a)
{
  if (mxIsEmpty (a))
    return;
  size_t count = call->config->L * call->config->H;
  if (!mxIsLogical (a) || mxIsSparse (a) || mxGetNumberOfElements (a) != count)
    marshal_fail (ATTN_E_TYPE, "the flags of ablated heads must be %zu logical values", count);
  const mxLogical *flags = mxGetData (a);
  unsigned char *copy = marshal_alloc ("the flags of ablated heads", count, 1);
  for (size_t i = 0; i < count; i++)
    copy[i] = flags[i] != 0;
  call->request.ablate = copy;
}

/* read_replace -- A: [] or H-by-L cell of [] or T-by-T single. */
static void read_replace (forward_call *call, const mxArray *a)
{
  if (mxIsEmpty (a))
    return;
  size_t count = call->config->L * call->config->H, T = call->T;
  if (!mxIsCell (a) || mxGetNumberOfElements (a) != count)
    marshal_fail (ATTN_E_TYPE, "the replaced weights must be a cell of %zu matrices", count);
  const float **replace =
      marshal_alloc_zero ("the list of replaced weights", count, sizeof *replace);
  for (size_t i = 0; i < count; i++) {
    const mxArray *w = mxGetCell (a, (mwIndex)i);
    if (w == NULL || mxIsEmpty (w))
      continue;
    if (!mxIsSingle (w) || !marshal_is_float (w) || mxGetM (w) != T || mxGetN (w) != T)
      marshal_fail (ATTN_E_SIZE, "replaced weights must be %zu-by-%zu single; got %s of class %s",
                    T, T, marshal_shape (w).text, marshal_class (w).text);
    replace[i] = mxGetData (w);
  }
  call->request.replace = replace;
}

/* create_outputs -- the arrays that the core fills in place. */
static void create_outputs (forward_call *call, mxArray *plhs[3])
{
  const attn_gpt2_config *config = call->config;
  attn_gpt2_request *request = &call->request;
  size_t T = call->T, layers = request->layers > 0 ? request->layers : config->L;
  size_t logit_tokens = call->want_logits ? T - request->logits_from : 0;

  plhs[0] =
      marshal_output ("the attention weights", 3, (size_t[]){T, T, call->pairs}, mxSINGLE_CLASS);
  plhs[1] =
      marshal_output ("the hidden states", 3,
                      (size_t[]){config->C, T, call->want_hidden ? layers + 1 : 0}, mxSINGLE_CLASS);
  plhs[2] = marshal_output ("the logits", 2, (size_t[]){config->V, logit_tokens}, mxSINGLE_CLASS);
  if (call->pairs > 0) {
    float **attention = marshal_alloc_zero ("the list of heads", size_times (config->L, config->H),
                                            sizeof *attention);
    float *weights = mxGetData (plhs[0]);
    for (size_t i = 0; i < call->pairs; i++)
      attention[pair_index (call, i)] = weights + i * T * T;
    request->attention = attention;
  }
  request->hidden = call->want_hidden ? mxGetData (plhs[1]) : NULL;
  request->logits = call->want_logits ? mxGetData (plhs[2]) : NULL;
}

/* [A, hidden, logits] = forward (folder, ids, layers, pairs, hidden, logits_from, ablate, replace)
 * layers: blocks to run, 0 = all.  pairs: n-by-2, each row once.  hidden: 0 or 1.  logits_from: the
 * first token whose logits are wanted, 0 = none.
 * A is T-by-T-by-n, hidden C-by-T-by-(layers+1), logits V-by-(T - logits_from + 1), all single. */
void gpt2_forward (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nrhs;
  attn_error err;
  forward_call call = {0};
  mxArray *out[3];
  marshal_check_outputs ("__gpt2__", nlhs, 3);
  call.model = gpt2_find (prhs[0]);
  call.config = attn_gpt2_config_get (call.model);
  call.ids = gpt2_ids (prhs[1], &call.T);
  call.request.layers = gpt2_size (prhs[2], "layers", call.config->L);
  read_pairs (&call, prhs[3]);
  call.want_hidden = gpt2_size (prhs[4], "hidden", 1) != 0;
  size_t from = gpt2_size (prhs[5], "logits_from", call.T);
  call.want_logits = from > 0;
  call.request.logits_from = from > 0 ? from - 1 : 0;
  read_ablate (&call, prhs[6]);
  read_replace (&call, prhs[7]);
  if (call.T > call.config->T_max) /* before the outputs are made, which could be too large */
    marshal_fail (ATTN_E_TOO_LONG, "the text has %zu tokens; the model takes at most %zu", call.T,
                  call.config->T_max);
  create_outputs (&call, out);

  attn_run run = marshal_run ();
  attn_status status =
      attn_gpt2_forward (call.model, call.ids, call.T, NULL, &call.request, &run, &err);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
  memcpy (plhs, out, (nlhs > 1 ? (size_t)nlhs : 1) * sizeof *plhs);
}
