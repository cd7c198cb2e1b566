#include <string.h>

#include "attn/gpt2.h"
#include "base/alloc.h"
#include "base/size.h"
#include "base/threads.h"
#include "kernel/matmul.h"
#include "model/cache.h"
#include "model/guard.h"
#include "model/heads.h"
#include "model/layers.h"
#include "model/model.h"

/* One forward pass: its arguments, what follows from them, and its working memory.  All matrices
 * are row-major with a row a token. */
typedef struct {
  const attn_gpt2 *model;
  const attn_gpt2_config *config;
  const gpt2_weights *weights;
  const attn_gpt2_request *request;
  attn_gpt2_cache *cache;
  const attn_run *run;
  const kern_dense *kernels;
  size_t T, T_past, T_all;
  size_t layers;
  float *x;    /* T-by-C: the residual stream */
  float *side; /* T-by-C: normalised x, or what the heads give */
  float *wide; /* T-by-3C queries, keys, values; or T-by-F feed-forward layer */
} pass;

static attn_status check_request (const attn_gpt2 *model, const int32_t *ids, size_t T,
                                  const attn_gpt2_cache *cache, const attn_gpt2_request *request,
                                  attn_error *err)
{
  const attn_gpt2_config *config = &model->config;
  size_t T_past = cache != NULL ? cache->tokens : 0;
  if (T == 0)
    return attn_fail (err, ATTN_E_EMPTY_TEXT, "the text has no tokens");
  if (T > config->T_max || T_past > config->T_max - T)
    return attn_fail (err, ATTN_E_TOO_LONG, "the text has %zu tokens, the model takes %zu",
                      T_past + T, config->T_max);
  if (cache != NULL && (cache->L != config->L || cache->C != config->C))
    return attn_fail (err, ATTN_E_SIZE, "the key/value cache belongs to another model");
  if (cache != NULL && T > cache->T_capacity - T_past)
    return attn_fail (err, ATTN_E_TOO_LONG,
                      "the text has %zu tokens, the key/value cache takes %zu", T_past + T,
                      cache->T_capacity);
  for (size_t t = 0; t < T; t++)
    if (ids[t] < 0 || (size_t)ids[t] >= config->V)
      return attn_fail (err, ATTN_E_RANGE, "token %zu has the id %ld; the model knows 0 to %zu",
                        t + 1, (long)ids[t], config->V - 1);
  if (request->layers > config->L)
    return attn_fail (err, ATTN_E_RANGE, "layer %zu was asked for; the model has %zu",
                      request->layers, config->L);
  if (request->logits != NULL && request->layers != 0 && request->layers < config->L)
    return attn_fail (err, ATTN_E_RANGE, "logits need all %zu layers, not %zu", config->L,
                      request->layers);
  if (request->logits != NULL && request->logits_from > T)
    return attn_fail (err, ATTN_E_RANGE, "logits from token %zu on were asked for; there are %zu",
                      request->logits_from + 1, T);
  return ATTN_OK;
}

/* allocate -- x, side and wide in one block, which x points to. */
static attn_status allocate (pass *p, attn_error *err)
{
  const size_t C = p->config->C;
  const size_t wide = size_max (size_times (C, 3), p->config->F);
  const size_t numbers = size_times (size_plus (size_times (C, 2), wide), p->T);
  p->x = attn_alloc (numbers, sizeof *p->x);
  if (p->x == NULL)
    return attn_no_memory (err, "the forward pass", numbers, sizeof *p->x);
  p->side = p->x + p->T * C;
  p->wide = p->side + p->T * C;
  return ATTN_OK;
}

static attn_status norm (const pass *p, const float *weight, const float *bias, attn_error *err)
{
  return forward_norm (p->x, weight, bias, p->config->norm_epsilon, p->side, p->T, p->config->C,
                       p->kernels, p->run, err);
}

/* linear -- T rows of x (K columns) through a layer of n outputs, all without gaps. */
static attn_status linear (const pass *p, const float *x, size_t K, const float *w,
                           const float *bias, size_t n, float *y, bool add,
                           forward_activate *activate, attn_error *err)
{
  matmul_linear_job job = {.T = p->T,
                           .K = K,
                           .n = n,
                           .x = x,
                           .w = w,
                           .bias = bias,
                           .y = y,
                           .x_row = K,
                           .w_row = n,
                           .y_row = n,
                           .add = add,
                           .activate = activate};
  return matmul_linear (&job, p->kernels, p->run, err);
}

/* queries_keys_values -- from `side` to `wide`.  Values that nobody needs are left out where the
 * bits of the others do not depend on it: stopping early changes no weight. */
static attn_status queries_keys_values (const pass *p, const gpt2_block *block, bool needs_values,
                                        attn_error *err)
{
  const size_t C = p->config->C;
  const bool values = needs_values || p->T >= MATMUL_BLAS_TOKENS;
  matmul_linear_job job = {.T = p->T,
                           .K = C,
                           .n = values ? 3 * C : 2 * C,
                           .x = p->side,
                           .w = block->attn_c_attn_weight,
                           .bias = block->attn_c_attn_bias,
                           .y = p->wide,
                           .x_row = C,
                           .w_row = 3 * C,
                           .y_row = 3 * C};
  return matmul_linear (&job, p->kernels, p->run, err);
}

/* append_to_cache -- keys and values of the new tokens behind those of the old ones. */
static void append_to_cache (const pass *p, size_t layer)
{
  const size_t C = p->config->C;
  size_t first = (layer * p->cache->T_capacity + p->T_past) * C;
  for (size_t t = 0; t < p->T; t++) {
    const float *row = p->wide + t * 3 * C;
    memcpy (p->cache->keys + first + t * C, row + C, C * sizeof *row);
    memcpy (p->cache->values + first + t * C, row + 2 * C, C * sizeof *row);
  }
}

/* attend -- from `wide` to `side`, or to the captured weights alone. */
static attn_status attend (const pass *p, size_t layer, bool output, attn_error *err)
{
  const size_t C = p->config->C, H = p->config->H;
  const attn_gpt2_request *request = p->request;
  heads_job job = {.config = p->config, .layer = layer, .T = p->T, .T_all = p->T_all};
  job.q = p->wide;
  job.q_row = 3 * C;
  if (p->cache != NULL) {
    job.k = p->cache->keys + layer * p->cache->T_capacity * C;
    job.v = p->cache->values + layer * p->cache->T_capacity * C;
    job.kv_row = C;
  } else {
    job.k = p->wide + C;
    job.v = p->wide + 2 * C;
    job.kv_row = 3 * C;
  }
  job.y = output ? p->side : NULL;
  job.capture = request->attention != NULL ? request->attention + layer * H : NULL;
  job.replace = request->replace != NULL ? request->replace + layer * H : NULL;
  job.ablate = request->ablate != NULL ? request->ablate + layer * H : NULL;
  return heads_forward (&job, p->run, err);
}

/* feed_forward -- x += c_proj (activate (c_fc (norm (x)))). */
static attn_status feed_forward (const pass *p, const gpt2_block *block, attn_error *err)
{
  const size_t C = p->config->C, F = p->config->F;
  forward_activate *activate = forward_activation (p->config->activation, p->kernels);
  attn_status status = norm (p, block->ln_2_weight, block->ln_2_bias, err);
  if (status == ATTN_OK)
    status = linear (p, p->side, C, block->mlp_c_fc_weight, block->mlp_c_fc_bias, F, p->wide, false,
                     activate, err);
  if (status == ATTN_OK)
    status = linear (p, p->wide, F, block->mlp_c_proj_weight, block->mlp_c_proj_bias, C, p->x, true,
                     NULL, err);
  return status;
}

/* run_block -- one block; OUTPUT false: only what its captured weights and the cache need. */
static attn_status run_block (const pass *p, size_t layer, bool output, attn_error *err)
{
  const size_t C = p->config->C;
  const gpt2_block *block = &p->weights->blocks[layer];
  attn_status status = norm (p, block->ln_1_weight, block->ln_1_bias, err);
  if (status == ATTN_OK)
    status = queries_keys_values (p, block, output || p->cache != NULL, err);
  if (status == ATTN_OK && p->cache != NULL)
    append_to_cache (p, layer);
  if (status == ATTN_OK)
    status = attend (p, layer, output, err);
  if (status == ATTN_OK && output)
    status = linear (p, p->side, C, block->attn_c_proj_weight, block->attn_c_proj_bias, C, p->x,
                     true, NULL, err);
  if (status == ATTN_OK && output)
    status = feed_forward (p, block, err);
  return status;
}

/* keep_hidden -- slice number SLICE of the hidden states. */
static void keep_hidden (const pass *p, size_t slice, const float *x)
{
  size_t numbers = p->T * p->config->C;
  if (p->request->hidden != NULL)
    memcpy (p->request->hidden + slice * numbers, x, numbers * sizeof *x);
}

/* finish -- final layer norm, last hidden state, logits. */
static attn_status finish (const pass *p, attn_error *err)
{
  const attn_gpt2_request *request = p->request;
  const size_t C = p->config->C, V = p->config->V;
  if (request->hidden == NULL && request->logits == NULL)
    return ATTN_OK;
  attn_status status = norm (p, p->weights->ln_f_weight, p->weights->ln_f_bias, err);
  if (status != ATTN_OK)
    return status;
  keep_hidden (p, p->layers, p->side);
  if (request->logits == NULL)
    return ATTN_OK;
  matmul_project_job job = {.T = p->T - request->logits_from,
                            .K = C,
                            .n = V,
                            .x = p->side + request->logits_from * C,
                            .w = p->weights->lm_head,
                            .y = request->logits,
                            .x_row = C,
                            .y_row = V};
  return matmul_project (&job, p->kernels, p->run, err);
}

/* run_layers -- between the blocks the weights are asked whether they are still there: a long pass
 * over zeros is not worth its end. */
static attn_status run_layers (const pass *p, attn_error *err)
{
  const bool beyond = p->request->hidden != NULL || p->request->logits != NULL;
  attn_status status = ATTN_OK;
  keep_hidden (p, 0, p->x);
  for (size_t layer = 0; layer < p->layers && status == ATTN_OK; layer++) {
    bool last = layer + 1 == p->layers;
    status = model_guard_check (p->model, err);
    if (status == ATTN_OK)
      status = run_block (p, layer, !last || beyond, err);
    if (status == ATTN_OK && !(last && p->layers == p->config->L))
      keep_hidden (p, layer + 1, p->x);
  }
  if (status == ATTN_OK && p->layers == p->config->L)
    status = finish (p, err);
  if (status == ATTN_OK)
    status = model_guard_check (p->model, err);
  return status;
}

attn_status attn_gpt2_forward (const attn_gpt2 *model, const int32_t *ids, size_t T,
                               attn_gpt2_cache *cache, const attn_gpt2_request *request,
                               const attn_run *run, attn_error *err)
{
  attn_status status = check_request (model, ids, T, cache, request, err);
  if (status != ATTN_OK)
    return status;
  parallel_team team;
  const attn_run with = parallel_team_open (&team, run);
  pass p = {.model = model,
            .config = &model->config,
            .weights = &model->weights,
            .request = request,
            .cache = cache,
            .run = &with,
            .kernels = kern_dense_table (kern_isa_choose (), ATTN_F32),
            .T = T,
            .T_past = cache != NULL ? cache->tokens : 0};
  p.T_all = p.T_past + T;
  p.layers = request->layers > 0 ? request->layers : model->config.L;
  status = allocate (&p, err);
  if (status == ATTN_OK) {
    model_guard_enter (model);
    forward_embed (model, ids, T, p.T_past, p.x);
    status = run_layers (&p, err);
    model_guard_leave (model);
  }
  if (status == ATTN_OK && cache != NULL)
    cache->tokens += T;
  attn_free (p.x);
  parallel_team_close (&team);
  return status;
}
