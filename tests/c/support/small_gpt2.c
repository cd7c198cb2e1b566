#include "support/small_gpt2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/layout.h"

attn_gpt2_config small_gpt2_config (void)
{
  return (attn_gpt2_config){.L = 3,
                            .H = 4,
                            .C = 40,
                            .F = 72,
                            .V = 101,
                            .T_max = 96,
                            .norm_epsilon = 1e-5f,
                            .activation = ATTN_GELU_TANH,
                            .scale_by_head_size = 1,
                            .tied_head = 1};
}

/* uniform -- a linear congruential generator is random enough for weights; [-1, 1). */
static float uniform (uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) * 0x1p-23f - 1;
}

attn_gpt2 *small_gpt2_create (attn_gpt2_config config, unsigned seed)
{
  attn_gpt2 *model = calloc (1, sizeof *model);
  uint32_t state = seed;
  model->config = config;
  model->weights.blocks = calloc (config.L, sizeof *model->weights.blocks);
  for (size_t i = 0; i < gpt2_tensor_count (&config); i++) {
    gpt2_tensor tensor = gpt2_tensor_at (&config, i);
    size_t n = tensor.shape[0] * tensor.shape[1];
    float *data = malloc (n * sizeof *data);
    int is_norm = strstr (tensor.name, "ln_") != NULL && strstr (tensor.name, "weight") != NULL;
    for (size_t e = 0; e < n; e++)
      data[e] = (is_norm ? 1.0f : 0.0f) + 0.4f * uniform (&state);
    *gpt2_tensor_slot (&model->weights, &config, i) = data;
  }
  if (config.tied_head)
    model->weights.lm_head = model->weights.wte;
  return model;
}

void small_gpt2_free (attn_gpt2 *model)
{
  for (size_t i = 0; i < gpt2_tensor_count (&model->config); i++)
    free ((void *)(uintptr_t)*gpt2_tensor_slot (&model->weights, &model->config, i));
  free (model->weights.blocks);
  free (model);
}

void small_gpt2_ids (const attn_gpt2 *model, int32_t *ids, size_t T, unsigned seed)
{
  uint32_t state = seed;
  for (size_t t = 0; t < T; t++)
    ids[t] = (int32_t)((double)(uniform (&state) + 1) / 2 * (double)model->config.V);
}

/* linear -- y (T-by-n) += x (T-by-K) * w (K-by-n) + b. */
static void linear (const double *x, const float *w, const float *b, double *y, size_t T, size_t K,
                    size_t n)
{
  for (size_t t = 0; t < T; t++)
    for (size_t j = 0; j < n; j++) {
      double sum = (double)b[j];
      for (size_t k = 0; k < K; k++)
        sum += x[t * K + k] * (double)w[k * n + j];
      y[t * n + j] += sum;
    }
}

static void norm (const double *x, const float *w, const float *b, double epsilon, double *y,
                  size_t T, size_t C)
{
  for (size_t t = 0; t < T; t++) {
    const double *row = x + t * C;
    double mean = 0, variance = 0;
    for (size_t c = 0; c < C; c++)
      mean += row[c] / (double)C;
    for (size_t c = 0; c < C; c++)
      variance += (row[c] - mean) * (row[c] - mean) / (double)C;
    for (size_t c = 0; c < C; c++)
      y[t * C + c] = (row[c] - mean) / sqrt (variance + epsilon) * (double)w[c] + (double)b[c];
  }
}

static double activation (attn_activation kind, double x)
{
  switch (kind) {
  case ATTN_GELU_ERF:
    return 0.5 * x * (1 + erf (x / sqrt (2)));
  case ATTN_RELU:
    return x > 0 ? x : 0;
  default:
    return 0.5 * x * (1 + tanh (sqrt (2 / acos (-1)) * (x + 0.044715 * x * x * x)));
  }
}

/* head -- weights a (T-by-T column-major) and y += a*v of one head; qkv is T-by-3C. */
static void head (const attn_gpt2_config *config, size_t layer, size_t h, const double *qkv,
                  size_t T, int ablated, double *a, double *y)
{
  size_t C = config->C, d = C / config->H;
  const double *q = qkv + h * d, *k = q + C, *v = k + C;
  double scale = config->scale_by_head_size ? 1 / sqrt ((double)d) : 1;
  if (config->scale_by_layer)
    scale /= (double)(layer + 1);
  for (size_t i = 0; i < T; i++) {
    double sum = 0;
    for (size_t j = 0; j < T; j++) {
      double s = 0;
      for (size_t c = 0; c < d; c++)
        s += q[i * 3 * C + c] * k[j * 3 * C + c];
      a[i + j * T] = j <= i ? exp (s * scale) : 0;
      sum += a[i + j * T];
    }
    for (size_t j = 0; j < T; j++) {
      a[i + j * T] /= sum;
      for (size_t c = 0; c < d && !ablated; c++)
        y[i * C + h * d + c] += a[i + j * T] * v[j * 3 * C + c];
    }
  }
}

static void block (const attn_gpt2 *model, size_t layer, double *x, size_t T,
                   const unsigned char *ablate, double *attention)
{
  const attn_gpt2_config *config = &model->config;
  const gpt2_block *b = &model->weights.blocks[layer];
  size_t C = config->C, F = config->F, H = config->H;
  double epsilon = (double)config->norm_epsilon;
  double *side = calloc (T * C, sizeof *side), *heads = calloc (T * C, sizeof *heads);
  double *qkv = calloc (T * 3 * C, sizeof *qkv), *inner = calloc (T * F, sizeof *inner);
  norm (x, b->ln_1_weight, b->ln_1_bias, epsilon, side, T, C);
  linear (side, b->attn_c_attn_weight, b->attn_c_attn_bias, qkv, T, C, 3 * C);
  for (size_t h = 0; h < H; h++)
    head (config, layer, h, qkv, T, ablate != NULL && ablate[layer * H + h],
          attention + (layer * H + h) * T * T, heads);
  linear (heads, b->attn_c_proj_weight, b->attn_c_proj_bias, x, T, C, C);
  norm (x, b->ln_2_weight, b->ln_2_bias, epsilon, side, T, C);
  linear (side, b->mlp_c_fc_weight, b->mlp_c_fc_bias, inner, T, C, F);
  for (size_t i = 0; i < T * F; i++)
    inner[i] = activation (config->activation, inner[i]);
  linear (inner, b->mlp_c_proj_weight, b->mlp_c_proj_bias, x, T, F, C);
  free (side);
  free (heads);
  free (qkv);
  free (inner);
}

plain_pass plain_forward (const attn_gpt2 *model, const int32_t *ids, size_t T,
                          const unsigned char *ablate)
{
  const attn_gpt2_config *config = &model->config;
  const gpt2_weights *w = &model->weights;
  size_t C = config->C, V = config->V, L = config->L;
  plain_pass pass = {calloc (L * config->H * T * T, sizeof (double)),
                     calloc (C * T * (L + 1), sizeof (double)), calloc (V * T, sizeof (double))};
  double *x = calloc (T * C, sizeof *x);
  for (size_t i = 0; i < T * C; i++)
    x[i] = (double)w->wte[(size_t)ids[i / C] * C + i % C] + (double)w->wpe[i];
  memcpy (pass.hidden, x, T * C * sizeof *x);
  for (size_t layer = 0; layer < L; layer++) {
    block (model, layer, x, T, ablate, pass.attention);
    memcpy (pass.hidden + (layer + 1) * T * C, x, T * C * sizeof *x);
  }
  double *last = pass.hidden + L * T * C;
  norm (x, w->ln_f_weight, w->ln_f_bias, (double)config->norm_epsilon, last, T, C);
  for (size_t t = 0; t < T; t++)
    for (size_t v = 0; v < V; v++)
      for (size_t c = 0; c < C; c++)
        pass.logits[t * V + v] += last[t * C + c] * (double)w->lm_head[v * C + c];
  free (x);
  return pass;
}

void plain_pass_free (plain_pass *pass)
{
  free (pass->attention);
  free (pass->hidden);
  free (pass->logits);
}
