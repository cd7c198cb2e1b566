/* The plain C dense kernels, and the table that picks between them and the fast ones. */
#include "kernel/dense.h"

#include <math.h>

/* The reference is written for float32 alone and adds in double: it is what the fast kernels are
 * measured against. */
static void reference_linear (const void *x, size_t x_row, const void *w, size_t w_row, void *y,
                              size_t y_row, size_t T, size_t K, size_t n)
{
  const float *in = x, *weight = w;
  float *out = y;
  for (size_t t = 0; t < T; t++)
    for (size_t j = 0; j < n; j++) {
      double sum = out[t * y_row + j];
      for (size_t k = 0; k < K; k++)
        sum += (double)in[t * x_row + k] * (double)weight[k * w_row + j];
      out[t * y_row + j] = (float)sum;
    }
}

static void reference_project (const void *x, size_t x_row, const void *w, void *y, size_t y_row,
                               size_t T, size_t K, size_t n)
{
  const float *in = x, *weight = w;
  float *out = y;
  for (size_t t = 0; t < T; t++)
    for (size_t i = 0; i < n; i++) {
      double sum = 0;
      for (size_t k = 0; k < K; k++)
        sum += (double)in[t * x_row + k] * (double)weight[i * K + k];
      out[t * y_row + i] = (float)sum;
    }
}

static void reference_norm (const void *x, const void *weight, const void *bias, double epsilon,
                            void *y, size_t C)
{
  const float *in = x, *scale = weight, *shift = bias;
  float *out = y;
  double mean = 0, variance = 0;
  for (size_t c = 0; c < C; c++)
    mean += (double)in[c] / (double)C;
  for (size_t c = 0; c < C; c++)
    variance += ((double)in[c] - mean) * ((double)in[c] - mean) / (double)C;
  double factor = 1 / sqrt (variance + epsilon);
  for (size_t c = 0; c < C; c++)
    out[c] = (float)(((double)in[c] - mean) * factor * (double)scale[c] + (double)shift[c]);
}

static void reference_gelu_tanh (void *x, size_t n)
{
  const double root_2_over_pi = 0.7978845608028654;
  float *value = x;
  for (size_t i = 0; i < n; i++) {
    double v = (double)value[i];
    value[i] = (float)(0.5 * v * (1 + tanh (root_2_over_pi * (v + 0.044715 * v * v * v))));
  }
}

static const kern_dense reference = {
    .linear = reference_linear,
    .project = reference_project,
    .norm = reference_norm,
    .gelu_tanh = reference_gelu_tanh,
};

extern const kern_dense kern_dense_generic_f32, kern_dense_generic_f64;
#if defined(__x86_64__)
extern const kern_dense kern_dense_avx2_f32, kern_dense_avx2_f64;
extern const kern_dense kern_dense_avx512_f32, kern_dense_avx512_f64;
#endif

const kern_dense *kern_dense_table (kern_isa isa, attn_type type)
{
  const int single = type == ATTN_F32;
  switch (isa) {
  case KERN_REFERENCE:
    return single ? &reference : &kern_dense_generic_f64;
#if defined(__x86_64__)
  case KERN_AVX2:
    return single ? &kern_dense_avx2_f32 : &kern_dense_avx2_f64;
  case KERN_AVX512:
    return single ? &kern_dense_avx512_f32 : &kern_dense_avx512_f64;
#endif
  default:
    return single ? &kern_dense_generic_f32 : &kern_dense_generic_f64;
  }
}
