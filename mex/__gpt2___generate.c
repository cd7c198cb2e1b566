/* Commands that continue a text token by token, with the keys and values of
 * the tokens so far kept. */
#include "base/size.h"
#include "__gpt2__.h"

#include <stdlib.h>

typedef struct generation {
  double handle;
  const attn_gpt2 *model; /* borrowed; the generation is dropped before its model */
  attn_gpt2_cache *cache;
  attn_sampling sampling;
  attn_random random;
  float *logits;   /* V, of the token after those in the cache */
  int32_t pending; /* the token drawn last, not yet in the cache; -1 = none */
  struct generation *next;
} generation;

static generation *all = NULL;

static void free_one (generation *g)
{
  attn_gpt2_cache_free (&g->cache);
  free (g->logits);
  free (g);
}

void gpt2_drop_generations (const attn_gpt2 *model)
{
  generation **place = &all;
  while (*place != NULL) {
    generation *g = *place;
    if (model == NULL || g->model == model) {
      *place = g->next;
      free_one (g);
    } else {
      place = &g->next;
    }
  }
}

/* run_tokens -- appends T ids to the cache and computes the logits behind the last. */
static attn_status run_tokens (generation *g, const int32_t *ids, size_t T, attn_error *err)
{
  attn_gpt2_request request = {.logits = g->logits, .logits_from = T - 1};
  attn_run run = marshal_run ();
  return attn_gpt2_forward (g->model, ids, T, g->cache, &request, &run, err);
}

static attn_status create (generation **result, const attn_gpt2 *model, size_t capacity,
                           attn_error *err)
{
  static double last_handle = 0;
  size_t V = attn_gpt2_config_get (model)->V;
  generation *g = calloc (1, sizeof *g);
  float *logits = malloc (size_times (V, sizeof *logits));
  if (g == NULL || logits == NULL) {
    free (g);
    free (logits);
    return attn_fail (err, ATTN_E_NOMEM, "out of memory: the logits need %zu numbers", V);
  }
  *g = (generation){.handle = ++last_handle, .model = model, .logits = logits, .pending = -1};
  attn_status status = attn_gpt2_cache_create (&g->cache, model, capacity, err);
  if (status != ATTN_OK)
    free_one (g);
  else
    *result = g;
  return status;
}

/* handle = generate_start (folder, ids, capacity, temperature, top_k, top_p, seed)
 * capacity: tokens of the prompt and the continuation together. */
void gpt2_start (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  attn_error err;
  generation *g = NULL;
  size_t T;
  const attn_gpt2 *model = gpt2_find (prhs[0]);
  const int32_t *ids = gpt2_ids (prhs[1], &T);
  size_t capacity = gpt2_size (prhs[2], "capacity", attn_gpt2_config_get (model)->T_max);
  attn_sampling sampling = {gpt2_number (prhs[3], "temperature"),
                            gpt2_size (prhs[4], "top_k", INT32_MAX),
                            gpt2_number (prhs[5], "top_p")};
  uint64_t seed = gpt2_size (prhs[6], "seed", (size_t)1 << 53);
  if (T == 0)
    marshal_fail (ATTN_E_EMPTY_TEXT, "the text has no tokens");
  mxArray *result = mxCreateDoubleScalar (0);

  attn_status status = create (&g, model, capacity, &err);
  if (status == ATTN_OK) {
    g->sampling = sampling;
    attn_random_seed (&g->random, seed);
    status = run_tokens (g, ids, T, &err);
    if (status != ATTN_OK)
      free_one (g);
  }
  if (status != ATTN_OK)
    marshal_raise (status, &err);
  g->next = all;
  all = g;
  *(double *)mxGetData (result) = g->handle;
  plhs[0] = result;
}

static generation **find (const mxArray *a)
{
  generation **place = &all;
  double handle = marshal_is_number (a) ? marshal_number (a) : 0;
  while (*place != NULL && (*place)->handle != handle)
    place = &(*place)->next;
  return place;
}

/* id = generate_next (handle): draws the next token. */
void gpt2_next (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)nrhs;
  attn_error err;
  generation *g = *find (prhs[0]);
  if (g == NULL)
    marshal_fail (ATTN_E_MODEL_NOT_FOUND, "the model was unloaded while it generated text");
  int32_t id = 0;
  attn_status status = ATTN_OK;
  if (g->pending >= 0)
    status = run_tokens (g, &g->pending, 1, &err);
  if (status == ATTN_OK) {
    g->pending = -1;
    status = attn_sample (g->logits, attn_gpt2_config_get (g->model)->V, &g->sampling, &g->random,
                          &id, &err);
  }
  if (status != ATTN_OK)
    marshal_raise (status, &err);
  g->pending = id;
  plhs[0] = mxCreateDoubleScalar (id);
}

/* generate_stop (handle): accepts one that is gone. */
void gpt2_stop (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs, (void)plhs, (void)nrhs;
  generation **place = find (prhs[0]);
  generation *g = *place;
  if (g == NULL)
    return;
  *place = g->next;
  free_one (g);
}
