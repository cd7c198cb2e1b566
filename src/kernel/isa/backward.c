/* Gradients of attention for one panel of queries, and the table of this instruction set. */
#include "kernel/backward.h"

#include "kernel/isa/simd.h"

#define INLINE static inline __attribute__ ((always_inline))

enum { LANES = TILE_VECTORS * VEC_LANES };

static void pack_rows (void *packed, kern_matrix in, size_t rows, size_t width,
                       const unsigned char *failed)
{
  real *out = packed;
  const real *data = in.data;
  for (size_t c0 = 0; c0 < width; c0 += LANES) {
    size_t columns = width - c0 < LANES ? width - c0 : LANES;
    for (size_t r = 0; r < LANES; r++, out += LANES) {
      size_t filled = r < rows && !failed[r] ? columns : 0;
      for (size_t c = 0; c < filled; c++)
        out[c] = data[r * in.row + (c0 + c) * in.col];
      for (size_t c = filled; c < LANES; c++)
        out[c] = 0;
    }
  }
}

/* weigh -- strip = strip/sum; returns the sums of the products. */
static void weigh (real *strip, const real *product, size_t keys, const vec inverse[TILE_VECTORS],
                   vec mean[TILE_VECTORS])
{
  for (int r = 0; r < TILE_VECTORS; r++)
    mean[r] = vec_zero ();
  for (size_t j = 0; j < keys; j++, strip += LANES, product += LANES)
    for (int r = 0; r < TILE_VECTORS; r++) {
      vec w = vec_mul (vec_load (strip + r * VEC_LANES), inverse[r]);
      vec_store (strip + r * VEC_LANES, w);
      mean[r] = vec_fma (w, vec_load (product + r * VEC_LANES), mean[r]);
    }
}

static void differences (void *strip, void *product, size_t keys, const void *sum, double scale,
                         unsigned char *failed)
{
  const vec one = vec_set1 (1), zero = vec_zero (), factor = vec_set1 ((real)scale);
  vec inverse[TILE_VECTORS], mean[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++)
    inverse[r] = one / vec_load ((const real *)sum + r * VEC_LANES);
  weigh (strip, product, keys, inverse, mean);
  for (int r = 0; r < TILE_VECTORS; r++) {
    /* x - x is 0 for finite x only; the inverse of a sum of 0 is infinite. */
    vec good = vec_select_eq (vec_sub (inverse[r], inverse[r]), zero, one, zero);
    good = vec_select_eq (vec_sub (mean[r], mean[r]), zero, good, zero);
    real lane[VEC_LANES];
    vec_store (lane, good);
    for (int t = 0; t < VEC_LANES; t++)
      failed[r * VEC_LANES + t] = lane[t] == 0;
  }
  const real *weight = strip;
  real *difference = product;
  for (size_t j = 0; j < keys; j++, weight += LANES, difference += LANES)
    for (int r = 0; r < TILE_VECTORS; r++) {
      vec w = vec_mul (vec_load (weight + r * VEC_LANES), factor);
      vec centred = vec_sub (vec_load (difference + r * VEC_LANES), mean[r]);
      vec_store (difference + r * VEC_LANES, vec_mul (w, centred));
    }
}

static void drop (void *strip, size_t keys, const unsigned char *failed)
{
  for (size_t r = 0; r < LANES; r++)
    if (failed[r])
      for (size_t j = 0; j < keys; j++)
        ((real *)strip)[j * LANES + r] = 0;
}

/* scatter_tile -- `count` keys, a constant in every call, by one group of columns. */
INLINE void scatter_tile (const real *strip, const real *rows, real *sums, size_t width,
                          const int count)
{
  vec acc[TILE_COLUMNS][TILE_VECTORS];
#pragma GCC unroll 16
  for (int j = 0; j < count; j++)
#pragma GCC unroll 4
    for (int r = 0; r < TILE_VECTORS; r++)
      acc[j][r] = vec_load (sums + (size_t)j * width + r * VEC_LANES);
  for (int t = 0; t < LANES; t++) {
    vec x[TILE_VECTORS];
#pragma GCC unroll 4
    for (int r = 0; r < TILE_VECTORS; r++)
      x[r] = vec_load (rows + t * LANES + r * VEC_LANES);
#pragma GCC unroll 16
    for (int j = 0; j < count; j++) {
      vec y = vec_set1 (strip[j * LANES + t]);
#pragma GCC unroll 4
      for (int r = 0; r < TILE_VECTORS; r++)
        acc[j][r] = vec_fma (x[r], y, acc[j][r]);
    }
  }
#pragma GCC unroll 16
  for (int j = 0; j < count; j++)
#pragma GCC unroll 4
    for (int r = 0; r < TILE_VECTORS; r++)
      vec_store (sums + (size_t)j * width + r * VEC_LANES, acc[j][r]);
}

static void scatter (const void *strip, size_t keys, const void *rows, size_t width, void *sums)
{
  const real *group = rows;
  for (size_t c = 0; c < width; c += LANES, group += LANES * LANES) {
    const real *weights = strip;
    real *to = (real *)sums + c;
    size_t j = 0;
    for (; j + TILE_COLUMNS <= keys; j += TILE_COLUMNS)
      scatter_tile (weights + j * LANES, group, to + j * width, width, TILE_COLUMNS);
    for (; j < keys; j++)
      scatter_tile (weights + j * LANES, group, to + j * width, width, 1);
  }
}

static void add (void *sums, const void *more, size_t n)
{
  real *restrict to = sums;
  const real *restrict from = more;
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

static void store (const void *sums, size_t rows, size_t columns, size_t width, kern_matrix m)
{
  enum { BLOCK = 16 }; /* rows whose numbers share cache lines in column-major results */
  const real *from = sums;
  real *to = m.data;
  for (size_t i0 = 0; i0 < rows; i0 += BLOCK) {
    size_t i1 = rows - i0 < BLOCK ? rows : i0 + BLOCK;
    for (size_t c = 0; c < columns; c++)
      for (size_t i = i0; i < i1; i++)
        to[i * m.row + c * m.col] = from[i * width + c];
  }
}

extern const kern_backward KERN_NAME (backward);

const kern_backward KERN_NAME (backward) = {
    .pack_rows = pack_rows,
    .differences = differences,
    .drop = drop,
    .scatter = scatter,
    .add = add,
    .store = store,
};
