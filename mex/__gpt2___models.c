/* The models and tokenizers that are loaded, in plain memory, each under a
 * key: its folder or name. */
#include "__gpt2__.h"

#include <stdlib.h>
#include <string.h>

typedef struct loaded {
  char *key;
  attn_gpt2 *model;          /* NULL when only a tokenizer was loaded */
  attn_tokenizer *tokenizer; /* owned; NULL when it is the model's */
  struct loaded *next;
} loaded;

static loaded *all = NULL;

/* remove_one -- unlinks and frees **PLACE. */
static void remove_one (loaded **place)
{
  loaded *gone = *place;
  *place = gone->next;
  if (gone->model != NULL)
    gpt2_drop_generations (gone->model);
  attn_gpt2_close (&gone->model);
  attn_tokenizer_close (&gone->tokenizer);
  free (gone->key);
  free (gone);
}

static void remove_all (void)
{
  gpt2_drop_generations (NULL);
  while (all != NULL)
    remove_one (&all);
}

/* find -- where the pointer to the entry KEY is; it holds NULL when there is none. */
static loaded **find (const char *key)
{
  loaded **place = &all;
  while (*place != NULL && strcmp ((*place)->key, key) != 0)
    place = &(*place)->next;
  return place;
}

/* add -- a new entry that takes over MODEL or TOKENIZER. */
static attn_status add (const char *key, attn_gpt2 *model, attn_tokenizer *tokenizer,
                        attn_error *err)
{
  static bool registered = false;
  size_t bytes = strlen (key) + 1;
  loaded *entry = malloc (sizeof *entry);
  char *copy = malloc (bytes);
  if (entry == NULL || copy == NULL) {
    free (entry);
    free (copy);
    return attn_fail (err, ATTN_E_NOMEM, "out of memory: the list of models needs %zu bytes",
                      sizeof *entry + bytes);
  }
  memcpy (copy, key, bytes);
  *entry = (loaded){copy, model, tokenizer, all};
  all = entry;
  if (!registered)
    mexAtExit (remove_all);
  registered = true;
  return ATTN_OK;
}

static const char *key_of (const mxArray *a)
{
  size_t bytes;
  return marshal_text (a, "the name of a loaded model", &bytes);
}

bool gpt2_is_loaded (const mxArray *a)
{
  return *find (key_of (a)) != NULL;
}

const attn_gpt2 *gpt2_find (const mxArray *a)
{
  const char *key = key_of (a);
  const loaded *entry = *find (key);
  if (entry == NULL || entry->model == NULL)
    marshal_fail (ATTN_E_MODEL_NOT_FOUND, "no model is loaded from %s", key);
  return entry->model;
}

const attn_tokenizer *gpt2_find_tokenizer (const mxArray *a)
{
  const char *key = key_of (a);
  const loaded *entry = *find (key);
  if (entry == NULL)
    marshal_fail (ATTN_E_MODEL_NOT_FOUND, "no tokenizer is loaded under the name %s", key);
  return entry->model != NULL ? attn_gpt2_tokenizer_get (entry->model) : entry->tokenizer;
}

attn_status gpt2_keep_tokenizer (const char *key, attn_tokenizer **tokenizer, attn_error *err)
{
  loaded **place = find (key);
  if (*place != NULL)
    remove_one (place);
  attn_status status = add (key, NULL, *tokenizer, err);
  if (status == ATTN_OK)
    *tokenizer = NULL;
  return status;
}

static const char *activation_name (attn_activation activation)
{
  switch (activation) {
  case ATTN_GELU_TANH:
    return "gelu_new";
  case ATTN_GELU_ERF:
    return "gelu";
  default:
    return "relu";
  }
}

/* describe -- a struct with the geometry and settings of MODEL. */
static mxArray *describe (const attn_gpt2 *model)
{
  const attn_gpt2_config *config = attn_gpt2_config_get (model);
  const struct {
    const char *name;
    double value;
  } numbers[] = {
      {"layers", (double)config->L},
      {"heads", (double)config->H},
      {"width", (double)config->C},
      {"feed_forward", (double)config->F},
      {"vocabulary", (double)config->V},
      {"positions", (double)config->T_max},
      {"parameters", (double)attn_gpt2_parameters (model)},
      {"norm_epsilon", (double)config->norm_epsilon},
      {"end_of_text", attn_tokenizer_end_of_text (attn_gpt2_tokenizer_get (model))},
  };
  mxArray *result = mxCreateStructMatrix (1, 1, 0, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    mxAddField (result, numbers[i].name);
    mxSetField (result, 0, numbers[i].name, mxCreateDoubleScalar (numbers[i].value));
  }
  mxAddField (result, "activation");
  mxSetField (result, 0, "activation", mxCreateString (activation_name (config->activation)));
  mxAddField (result, "tied_head");
  mxSetField (result, 0, "tied_head", mxCreateLogicalScalar (config->tied_head != 0));
  return result;
}

/* config = open (folder): loads it unless it is there and unchanged.  A changed model is closed
 * before it is read anew: pages of a file that became shorter must not be touched. */
void gpt2_open (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  attn_error err;
  attn_gpt2 *model = NULL;
  const char *key = key_of (prhs[0]);
  loaded **place = find (key);
  if (*place != NULL && ((*place)->model == NULL || attn_gpt2_changed ((*place)->model))) {
    remove_one (place);
    place = find (key);
  }
  if (*place == NULL) {
    attn_status status = attn_gpt2_open (&model, key, &err);
    if (status == ATTN_OK)
      status = add (key, model, NULL, &err);
    if (status != ATTN_OK) {
      attn_gpt2_close (&model);
      marshal_raise (status, &err);
    }
    place = find (key);
  }
  plhs[0] = describe ((*place)->model);
}

/* keys = loaded (): cell column of what is loaded. */
void gpt2_loaded (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs, (void)prhs;
  mwSize count = 0, i = 0;
  for (const loaded *entry = all; entry != NULL; entry = entry->next)
    count++;
  plhs[0] = mxCreateCellMatrix (count, 1);
  for (const loaded *entry = all; entry != NULL; entry = entry->next)
    mxSetCell (plhs[0], i++, mxCreateString (entry->key));
}

/* unload (key): '' means everything. */
void gpt2_unload (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)plhs, (void)nrhs;
  const char *key = key_of (prhs[0]);
  loaded **place = find (key);
  if (*key == '\0')
    remove_all ();
  else if (*place != NULL)
    remove_one (place);
}
