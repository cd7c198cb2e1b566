/* Commands on text and tokens. */
#include "__gpt2__.h"

#include <string.h>

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

/* [size, end_of_text, used] = describe_tokenizer (name): number of ids, the id of <|endoftext|> (-1
 * = none), and which of the ids are tokens, a 1-by-size logical. */
void gpt2_describe_tokenizer (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nrhs;
  mxArray *out[3];
  marshal_check_outputs ("__gpt2__", nlhs, 3);
  const attn_tokenizer *tokenizer = gpt2_find_tokenizer (prhs[0]);
  size_t size = attn_tokenizer_size (tokenizer);
  out[0] = mxCreateDoubleScalar ((double)size);
  out[1] = mxCreateDoubleScalar (attn_tokenizer_end_of_text (tokenizer));
  out[2] = mxCreateLogicalMatrix (1, (mwSize)size);
  mxLogical *used = mxGetData (out[2]);
  for (size_t id = 0; id < size; id++) {
    const char *token;
    size_t bytes;
    used[id] = attn_tokenizer_view (tokenizer, (int32_t)id, &token, &bytes, NULL) == ATTN_OK;
  }
  memcpy (plhs, out, (nlhs > 1 ? (size_t)nlhs : 1) * sizeof *plhs);
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

/* ids = encode_documents (key, documents, separator): 1-by-T double, the ids of each text of the
 * cell with the id SEPARATOR between them; special tokens in the texts count as such. */
void gpt2_encode_documents (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  attn_error err;
  size_t count = mxIsCell (prhs[1]) ? mxGetNumberOfElements (prhs[1]) : 0, most = count, T = 0;
  const attn_tokenizer *tokenizer = gpt2_find_tokenizer (prhs[0]);
  const double separator = gpt2_number (prhs[2], "separator");
  const char **texts = marshal_alloc_zero ("the list of documents", count, sizeof *texts);
  size_t *bytes = marshal_alloc_zero ("the list of documents", count, sizeof *bytes);
  for (size_t i = 0; i < count; i++) {
    texts[i] = marshal_text (mxGetCell (prhs[1], (mwIndex)i), "a document", &bytes[i]);
    most += bytes[i];
  }
  mxArray *result = marshal_output ("the ids", 2, (size_t[]){1, most}, mxDOUBLE_CLASS);
  double *to = mxGetData (result);
  for (size_t i = 0; i < count; i++) {
    int32_t *ids = NULL;
    size_t n = 0;
    if (i > 0)
      to[T++] = separator;
    attn_status status = attn_tokenizer_encode (tokenizer, texts[i], bytes[i], 1, &ids, &n, &err);
    for (size_t t = 0; status == ATTN_OK && t < n; t++)
      to[T++] = ids[t];
    attn_ids_free (&ids);
    if (status != ATTN_OK)
      marshal_raise (status, &err);
  }
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
