/* The element-wise part of attention: exponentials, sums, division. */
#include "kernel/isa/attention.h"
#include "kernel/isa/exp.h"

enum { KEYS = EXP_VECTORS / TILE_VECTORS };

void KERN_NAME (start) (void *max, void *sum, void *out, size_t dv)
{
  real *top = max, *total = sum;
  for (int r = 0; r < LANES; r++) {
    top[r] = -REAL_MAX;
    total[r] = 0;
  }
  memset (out, 0, dv * LANES * sizeof (real));
}

/* add_exponentials -- 2^(s - m) in place for KEYS keys, and their sums. */
INLINE void add_exponentials (real *s, const vec m[TILE_VECTORS], vec sum[TILE_VECTORS],
                              const int keys)
{
  vec x[EXP_VECTORS];
#pragma GCC unroll 8
  for (int t = 0; t < keys * TILE_VECTORS; t++)
    x[t] = vec_sub (vec_load (s + t * VEC_LANES), m[t % TILE_VECTORS]);
  vec_exp2_each (x, keys * TILE_VECTORS);
#pragma GCC unroll 8
  for (int t = 0; t < keys * TILE_VECTORS; t++) {
    vec_store (s + t * VEC_LANES, x[t]);
    sum[t % TILE_VECTORS] = vec_add (sum[t % TILE_VECTORS], x[t]);
  }
}

void KERN_NAME (exponentials) (void *strip, size_t keys, const void *old_max, const void *max,
                               void *factor, void *sum)
{
  const real *before = old_max, *top = max;
  real *s = strip, *scale = factor, *total = sum;
  vec m[TILE_VECTORS], block[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++) {
    m[r] = vec_load (top + r * VEC_LANES);
    block[r] = vec_zero ();
  }
  size_t j = 0;
  for (; j + KEYS <= keys; j += KEYS)
    add_exponentials (s + j * LANES, m, block, KEYS);
  for (; j < keys; j++)
    add_exponentials (s + j * LANES, m, block, 1);
  for (int r = 0; r < TILE_VECTORS; r++) {
    vec f = vec_exp2 (vec_sub (vec_load (before + r * VEC_LANES), m[r]));
    vec_store (scale + r * VEC_LANES, f);
    vec_store (total + r * VEC_LANES, vec_fma (vec_load (total + r * VEC_LANES), f, block[r]));
  }
}

/* write_row -- ROWS lanes to elements of OUT that lie STRIDE apart. */
static inline void write_row (const vec lanes[TILE_VECTORS], size_t rows, real *out, size_t stride)
{
  if (rows == LANES && stride == 1) {
    for (int r = 0; r < TILE_VECTORS; r++)
      vec_store (out + r * VEC_LANES, lanes[r]);
    return;
  }
  real lane[LANES];
  for (int r = 0; r < TILE_VECTORS; r++)
    vec_store (lane + r * VEC_LANES, lanes[r]);
  for (size_t r = 0; r < rows; r++)
    out[r * stride] = lane[r];
}

void KERN_NAME (check) (const void *sum, const void *max, size_t rows, unsigned char *failed)
{
  const real *total = sum, *top = max;
  for (size_t r = 0; r < rows; r++)
    failed[r] = !(total[r] > 0 && total[r] <= REAL_MAX) || top[r] == kern_beyond;
}

void KERN_NAME (finish) (const void *out, const void *sum, size_t rows, size_t dv, kern_matrix y,
                         unsigned char *failed)
{
  const real *total = sum, *sums = out;
  vec inverse[TILE_VECTORS], doubt[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++) {
    inverse[r] = vec_set1 (1) / vec_load (total + r * VEC_LANES);
    doubt[r] = vec_zero ();
  }
  for (size_t c = 0; c < dv; c++, sums += LANES) {
    vec x[TILE_VECTORS];
    for (int r = 0; r < TILE_VECTORS; r++) {
      x[r] = vec_mul (vec_load (sums + r * VEC_LANES), inverse[r]);
      doubt[r] = vec_add (doubt[r], vec_sub (x[r], x[r])); /* NaN from an infinity on */
    }
    write_row (x, rows, (real *)y.data + c * y.col, y.row);
  }
  real doubtful[LANES];
  for (int r = 0; r < TILE_VECTORS; r++)
    vec_store (doubtful + r * VEC_LANES, doubt[r]);
  for (size_t r = 0; r < rows; r++)
    failed[r] |= doubtful[r] != 0;
}

void KERN_NAME (finish_weights) (const void *strip, size_t keys, const void *block_max,
                                 const void *max, const void *sum, size_t rows, kern_matrix w)
{
  const real *then = block_max, *final = max, *total = sum;
  vec factor[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++) {
    size_t at = (size_t)r * VEC_LANES;
    vec late = vec_exp2 (vec_sub (vec_load (then + at), vec_load (final + at)));
    factor[r] = late / vec_load (total + at);
  }
  const real *weights = strip;
  for (size_t j = 0; j < keys; j++, weights += LANES) {
    vec x[TILE_VECTORS];
    for (int r = 0; r < TILE_VECTORS; r++)
      x[r] = vec_mul (vec_load (weights + r * VEC_LANES), factor[r]);
    write_row (x, rows, (real *)w.data + j * w.col, w.row);
  }
}

void KERN_NAME (clear_weights) (kern_matrix w, size_t rows, size_t keys)
{
  vec x[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++)
    x[r] = vec_zero ();
  for (size_t j = 0; j < keys; j++)
    write_row (x, rows, (real *)w.data + j * w.col, w.row);
}
