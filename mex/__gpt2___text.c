/* Commands on text and tokens. */
#include "__gpt2__.h"

/* yes = has_tokenizer (name) */
void gpt2_has_tokenizer (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  plhs[0] = mxCreateLogicalScalar (gpt2_is_loaded (prhs[0]));
}

/* load_tokenizer (name, merges): from the text of a merges.txt, with GPT-2's order of ids. */
void gpt2_load_tokenizer (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)plhs, (void)nrhs;
  attn_error err;
  attn_tokenizer *tokenizer = NULL;
  size_t key_bytes, merges_bytes, vocab_bytes;
  const char *key = marshal_text (prhs[0], "the name of the tokenizer", &key_bytes);
  const char *merges = marshal_text (prhs[1], "the merges", &merges_bytes);
  const char *vocab = marshal_text (prhs[2], "the vocabulary", &vocab_bytes);
  attn_status status = attn_tokenizer_open (&tokenizer, merges, merges_bytes,
                                            vocab_bytes > 0 ? vocab : NULL, vocab_bytes, &err);
  if (status == ATTN_OK)
    status = gpt2_keep_tokenizer (key, &tokenizer, &err);
  attn_tokenizer_close (&tokenizer);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
}

/* ids = encode (key, text, special): 1-by-T double.  A text has at most one token a byte, so the
 * result is created first and shortened: nothing can be raised while the core's ids are owned. */
void gpt2_encode (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  attn_error err;
  int32_t *ids = NULL;
  size_t T = 0, bytes;
  const attn_tokenizer *tokenizer = gpt2_find_tokenizer (prhs[0]);
  const char *text = marshal_text (prhs[1], "the text", &bytes);
  int special = gpt2_size (prhs[2], "special", 1) != 0;
  mxArray *result = marshal_output ("the ids", 2, (size_t[]){1, bytes}, mxDOUBLE_CLASS);
  double *to = mxGetData (result);

  attn_status status = attn_tokenizer_encode (tokenizer, text, bytes, special, &ids, &T, &err);
  for (size_t t = 0; status == ATTN_OK && t < T; t++)
    to[t] = ids[t];
  attn_ids_free (&ids);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
  mxSetN (result, (mwSize)T);
  plhs[0] = result;
}

/* tokens = tokens (key, ids): 1-by-T cell of char rows. */
void gpt2_tokens (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  attn_error err;
  size_t T;
  const attn_tokenizer *tokenizer = gpt2_find_tokenizer (prhs[0]);
  const int32_t *ids = gpt2_ids (prhs[1], &T);
  plhs[0] = mxCreateCellMatrix (1, (mwSize)T);
  for (size_t t = 0; t < T; t++) {
    const char *token;
    size_t bytes;
    attn_status status = attn_tokenizer_view (tokenizer, ids[t], &token, &bytes, &err);
    if (status != ATTN_OK)
      marshal_raise (status, &err);
    mxSetCell (plhs[0], (mwIndex)t, marshal_chars (token, bytes));
  }
}
