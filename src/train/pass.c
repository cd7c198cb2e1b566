#include "train/pass.h"

#include <math.h>

#include "base/size.h"
#include "base/threads.h"
#include "train/layers.h"

/* One pass under way. */
typedef struct {
  const pass_args *args;
  tape *tape;
  size_t N, C, F;
  layer_run layers;
  const attn_run *run;
} pass;

/* at -- tensor number INDEX within BLOCK, the weights or the gradient. */
static real *at (const pass *p, real *block, size_t index)
{
  return block + p->args->map->list[index].offset;
}

static size_t outer (const pass *p, outer_tensor which)
{
  return parameter_outer (p->args->map, which);
}

/* norm_of -- the layer norm whose weight is tensor INDEX. */
static layer_norm_args norm_of (const pass *p, size_t index)
{
  return (layer_norm_args){.weight = at (p, p->args->weights, index),
                           .bias = at (p, p->args->weights, index + 1),
                           .N = p->N,
                           .C = p->C,
                           .epsilon = (double)p->args->config->norm_epsilon};
}

/* norm_backward -- layer_norm_backward of that layer norm, from dnormal into dx. */
static void norm_backward (const pass *p, size_t index, const layer_norm_args *norm, const real *x)
{
  tape *t = p->tape;
  layer_norm_backward (norm, t->dx, at (p, p->args->gradient, index),
                       at (p, p->args->gradient, index + 1), t->dnormal, x, t->scratch, &p->layers);
}

/* linear_of -- the linear layer whose weight is tensor INDEX. */
static layer_linear_args linear_of (const pass *p, size_t index, size_t in, size_t out)
{
  return (layer_linear_args){.weight = at (p, p->args->weights, index),
                             .bias = at (p, p->args->weights, index + 1),
                             .N = p->N,
                             .in = in,
                             .out = out};
}

static void linear_forward (const pass *p, size_t index, size_t in, size_t out, real *y,
                            const real *x)
{
  layer_linear_args linear = linear_of (p, index, in, out);
  layer_linear (&linear, y, x);
}

static void linear_backward (const pass *p, size_t index, size_t in, size_t out, real *dx,
                             const real *dy, const real *x)
{
  layer_linear_args linear = linear_of (p, index, in, out);
  layer_linear_backward (&linear, dx, at (p, p->args->gradient, index),
                         at (p, p->args->gradient, index + 1), dy, x, p->tape->scratch, &p->layers);
}

static attn_view rows_view (const pass *p, real *data, size_t stride)
{
  return (attn_view){.data = data,
                     .row_stride = stride,
                     .col_stride = 1,
                     .page_stride = {p->C / p->args->config->H, p->args->T * stride, 0}};
}

/* attention_of -- causal self-attention of one block: pages are heads, then rows of the batch. */
static attn_attention attention_of (const pass *p, size_t layer)
{
  const attn_gpt2_config *config = p->args->config;
  const block_tape *b = &p->tape->blocks[layer];
  size_t T = p->args->T, C = p->C, d = C / config->H;
  attn_attention a;
  attn_attention_init (&a, REAL_TYPE, T, T, d, d);
  a.pages[0] = a.kv_pages[0] = config->H;
  a.pages[1] = a.kv_pages[1] = p->args->B;
  a.q = rows_view (p, b->qkv, 3 * C);
  a.k = rows_view (p, b->qkv + C, 3 * C);
  a.v = rows_view (p, b->qkv + 2 * C, 3 * C);
  a.y = rows_view (p, b->heads, C);
  a.causal = 1;
  a.scale = config->scale_by_head_size ? 1 / sqrt ((double)d) : 1;
  if (config->scale_by_layer)
    a.scale /= (double)(layer + 1);
  return a;
}

static attn_status poll (const pass *p, attn_error *err)
{
  if (p->run != NULL && p->run->interrupted != NULL &&
      p->run->interrupted (p->run->interrupted_data) != 0)
    return attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
  return ATTN_OK;
}

static attn_status block_forward (const pass *p, size_t layer, real *out, attn_error *err)
{
  const block_tape *b = &p->tape->blocks[layer];
  size_t N = p->N, C = p->C, F = p->F;
  layer_norm_args norm1 = norm_of (p, parameter_inner (NORM1_W, layer));
  layer_norm_args norm2 = norm_of (p, parameter_inner (NORM2_W, layer));

  layer_norm (&norm1, b->normal1, b->x, &p->layers);
  linear_forward (p, parameter_inner (QKV_W, layer), C, 3 * C, b->qkv, b->normal1);
  attn_attention attention = attention_of (p, layer);
  attn_status status = attn_attention_forward (&attention, p->run, err);
  if (status != ATTN_OK)
    return status;
  linear_forward (p, parameter_inner (PROJ_W, layer), C, C, b->middle, b->heads);
  layer_add (b->middle, b->x, N * C, &p->layers);

  layer_norm (&norm2, b->normal2, b->middle, &p->layers);
  linear_forward (p, parameter_inner (FC_W, layer), C, F, b->fc, b->normal2);
  layer_activation (p->args->config->activation, b->activated, b->fc, N * F, &p->layers);
  linear_forward (p, parameter_inner (FCPROJ_W, layer), F, C, out, b->activated);
  layer_add (out, b->middle, N * C, &p->layers);
  return poll (p, err);
}

/* block_backward -- turns the gradient by the block's output in tape->dx into that by its input. */
static attn_status block_backward (const pass *p, size_t layer, attn_error *err)
{
  tape *t = p->tape;
  const block_tape *b = &t->blocks[layer];
  size_t N = p->N, C = p->C, F = p->F;
  layer_norm_args norm1 = norm_of (p, parameter_inner (NORM1_W, layer));
  layer_norm_args norm2 = norm_of (p, parameter_inner (NORM2_W, layer));

  linear_backward (p, parameter_inner (FCPROJ_W, layer), F, C, t->dfc, t->dx, b->activated);
  layer_activation_backward (p->args->config->activation, t->dfc, t->dfc, b->fc, N * F, &p->layers);
  linear_backward (p, parameter_inner (FC_W, layer), C, F, t->dnormal, t->dfc, b->normal2);
  norm_backward (p, parameter_inner (NORM2_W, layer), &norm2, b->middle);

  linear_backward (p, parameter_inner (PROJ_W, layer), C, C, t->dnormal, t->dx, b->heads);
  attn_attention attention = attention_of (p, layer);
  attn_attention_gradient g = {.dy = rows_view (p, t->dnormal, C),
                               .dq = rows_view (p, t->dqkv, 3 * C),
                               .dk = rows_view (p, t->dqkv + C, 3 * C),
                               .dv = rows_view (p, t->dqkv + 2 * C, 3 * C)};
  attn_status status = attn_attention_backward (&attention, &g, p->run, err);
  if (status != ATTN_OK)
    return status;
  linear_backward (p, parameter_inner (QKV_W, layer), C, 3 * C, t->dnormal, t->dqkv, b->normal1);
  norm_backward (p, parameter_inner (NORM1_W, layer), &norm1, b->x);
  return poll (p, err);
}

static size_t count_targets (const pass_args *args)
{
  size_t counted = 0;
  for (size_t n = 0; n < args->B * args->T; n++)
    counted += args->targets[n] >= 0;
  return counted;
}

/* head_pass -- logits and loss, and, if wanted, the gradient by the final layer norm's output (into
 * tape->dnormal) and by the token embedding as output projection. */
static double head_pass (const pass *p)
{
  tape *t = p->tape;
  size_t C = p->C, V = p->args->config->V, counted = count_targets (p->args);
  bool backward = p->args->gradient != NULL;
  size_t wte_index = outer (p, WTE);
  real *wte = at (p, p->args->weights, wte_index);
  double factor = 0;
  if (counted > 0 && backward)
    factor = p->args->share / (double)counted;
  double total = 0;
  for (size_t begin = 0; begin < p->N; begin += t->logit_rows) {
    size_t rows = size_min (t->logit_rows, p->N - begin);
    const real *x = t->normal + begin * C;
    real_gemm (false, true, rows, V, C, 1, x, C, wte, C, 0, t->logits, V);
    layer_cross_entropy (t->logits, p->args->targets + begin, t->losses + begin, rows, V, factor,
                         &p->layers);
    for (size_t n = begin; n < begin + rows; n++)
      total += t->losses[n];
    if (backward) {
      real_gemm (true, false, V, C, rows, 1, t->logits, V, x, C, 1,
                 at (p, p->args->gradient, wte_index), C);
      real_gemm (false, false, rows, C, V, 1, t->logits, V, wte, C, 0, t->dnormal + begin * C, C);
    }
  }
  return counted > 0 ? total / (double)counted : 0;
}

/* run_tape -- as pass_run, on a tape that is large enough. */
static attn_status run_tape (const pass_args *args, tape *t, double *loss, const attn_run *run,
                             attn_error *err)
{
  const attn_gpt2_config *config = args->config;
  const size_t L = config->L;
  attn_status status = ATTN_OK;
  pass p = {args, t, t->N, config->C, config->F, layer_run_of (run), run};

  layer_embed (t->blocks[0].x, args->ids, at (&p, args->weights, outer (&p, WTE)),
               at (&p, args->weights, outer (&p, WPE)), p.N, args->T, p.C);
  for (size_t l = 0; l < L; l++) {
    status = block_forward (&p, l, l + 1 < L ? t->blocks[l + 1].x : t->x, err);
    if (status != ATTN_OK)
      return status;
  }
  layer_norm_args norm = norm_of (&p, outer (&p, NORMF_W));
  layer_norm (&norm, t->normal, t->x, &p.layers);
  *loss = head_pass (&p);
  if (args->gradient == NULL)
    return ATTN_OK;

  for (size_t i = 0; i < p.N * p.C; i++)
    t->dx[i] = 0;
  norm_backward (&p, outer (&p, NORMF_W), &norm, t->x);
  for (size_t l = L; l-- > 0;) {
    status = block_backward (&p, l, err);
    if (status != ATTN_OK)
      return status;
  }
  layer_embed_backward (at (&p, args->gradient, outer (&p, WTE)),
                        at (&p, args->gradient, outer (&p, WPE)), args->ids, t->dx, p.N, args->T,
                        p.C, &p.layers);
  return ATTN_OK;
}

attn_status pass_run (const pass_args *args, tape *t, double *loss, const attn_run *run,
                      attn_error *err)
{
  attn_status status = tape_reserve (t, args->config, args->B, args->T, err);
  if (status != ATTN_OK)
    return status;
  parallel_team team;
  const attn_run with = parallel_team_open (&team, run);
  status = run_tape (args, t, loss, &with, err);
  parallel_team_close (&team);
  return status;
}
