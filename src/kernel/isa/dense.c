/* Layer norm, GELU, and the table of this instruction set's dense kernels. */
#include "kernel/isa/dense.h"

#include "kernel/isa/gelu.h"

void KERN_NAME (norm) (const void *x, const void *weight, const void *bias, double epsilon, void *y,
                       size_t C)
{
  const real *in = x, *scale = weight, *shift = bias;
  real *out = y;
  size_t whole = C / VEC_LANES * VEC_LANES;

  vec sums = vec_zero ();
  real sum = 0;
  for (size_t c = 0; c < whole; c += VEC_LANES)
    sums = vec_add (sums, vec_load (in + c));
  for (size_t c = whole; c < C; c++)
    sum += in[c];
  const real mean = (vec_sum (sums) + sum) / (real)C;

  vec squares = vec_zero ();
  real square = 0;
  for (size_t c = 0; c < whole; c += VEC_LANES) {
    vec d = vec_sub (vec_load (in + c), vec_set1 (mean));
    squares = vec_fma (d, d, squares);
  }
  for (size_t c = whole; c < C; c++)
    square += (in[c] - mean) * (in[c] - mean);
  const double variance = (double)(vec_sum (squares) + square) / (double)C;
  const real factor = (real)(1 / sqrt (variance + epsilon));

  for (size_t c = 0; c < whole; c += VEC_LANES) {
    vec d = vec_mul (vec_sub (vec_load (in + c), vec_set1 (mean)), vec_set1 (factor));
    vec_store (out + c, vec_fma (d, vec_load (scale + c), vec_load (shift + c)));
  }
  for (size_t c = whole; c < C; c++)
    out[c] = (in[c] - mean) * factor * scale[c] + shift[c];
}

void KERN_NAME (gelu_tanh) (void *x, size_t n)
{
  real *value = x;
  size_t whole = n / VEC_LANES * VEC_LANES;
  for (size_t i = 0; i < whole; i += VEC_LANES)
    vec_store (value + i, gelu (vec_load (value + i)));
  if (n > whole) {
    real rest[VEC_LANES] = {0};
    memcpy (rest, value + whole, (n - whole) * sizeof (real));
    vec_store (rest, gelu (vec_load (rest)));
    memcpy (value + whole, rest, (n - whole) * sizeof (real));
  }
}

const kern_dense KERN_NAME (dense) = {
    .linear = KERN_NAME (linear),
    .project = KERN_NAME (project),
    .norm = KERN_NAME (norm),
    .gelu_tanh = KERN_NAME (gelu_tanh),
};
