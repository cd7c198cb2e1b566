#include "model/layers.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "base/threads.h"

enum {
  NORM_ROWS = 32,        /* tokens an item */
  NORM_THREADED = 200000 /* numbers below which starting a thread costs more */
};

void forward_embed (const attn_gpt2 *model, const int32_t *ids, size_t T, size_t first, float *x)
{
  const size_t C = model->config.C;
  for (size_t t = 0; t < T; t++) {
    const float *token = model->weights.wte + (size_t)ids[t] * C;
    const float *position = model->weights.wpe + (first + t) * C;
    for (size_t c = 0; c < C; c++)
      x[t * C + c] = token[c] + position[c];
  }
}

typedef struct {
  const float *x, *weight, *bias;
  float epsilon, *y;
  size_t T, C;
  const kern_dense *kernels;
} norm_work;

static void norm_rows (void *context, size_t item, int thread)
{
  (void)thread;
  const norm_work *w = context;
  size_t end = size_min ((item + 1) * NORM_ROWS, w->T);
  for (size_t t = item * NORM_ROWS; t < end; t++)
    w->kernels->norm (w->x + t * w->C, w->weight, w->bias, (double)w->epsilon, w->y + t * w->C,
                      w->C);
}

attn_status forward_norm (const float *x, const float *weight, const float *bias, float epsilon,
                          float *y, size_t T, size_t C, const kern_dense *kernels,
                          const attn_run *run, attn_error *err)
{
  norm_work work = {x, weight, bias, epsilon, y, T, C, kernels};
  int threads = T * C < NORM_THREADED ? 1 : parallel_threads (run);
  return parallel_for (size_ceil_div (T, NORM_ROWS), threads, norm_rows, &work, run, err);
}

/* gelu_erf -- 0.5*(1 + erf (x/sqrt(2))) = 0.5*erfc (-x/sqrt(2)), which does not cancel. */
static void gelu_erf (void *x, size_t n)
{
  float *value = x;
  for (size_t i = 0; i < n; i++)
    value[i] = 0.5f * value[i] * erfcf (-0.70710678f * value[i]);
}

/* relu -- NaN stays. */
static void relu (void *x, size_t n)
{
  float *value = x;
  for (size_t i = 0; i < n; i++)
    value[i] = value[i] < 0 ? 0 : value[i];
}

forward_activate *forward_activation (attn_activation activation, const kern_dense *kernels)
{
  switch (activation) {
  case ATTN_GELU_ERF:
    return gelu_erf;
  case ATTN_RELU:
    return relu;
  case ATTN_GELU_TANH:
  default:
    return kernels->gelu_tanh;
  }
}

void forward_weighted_sum (const float *w, const float *v, size_t v_row, float *y, size_t y_row,
                           size_t T, size_t T_all, size_t d)
{
  for (size_t t = 0; t < T; t++) {
    float *sum = y + t * y_row;
    memset (sum, 0, d * sizeof *sum);
    for (size_t j = 0; j < T_all; j++) {
      float weight = w[t + j * T];
      if (weight != 0)
        for (size_t c = 0; c < d; c++)
          sum[c] += weight * v[j * v_row + c];
    }
  }
}
