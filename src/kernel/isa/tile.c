/* The two products of attention, by register tiles of LANES queries by up to TILE_COLUMNS keys or
 * columns of V. */
#include "kernel/isa/attention.h"
#include "kernel/isa/product.h"

/* multiply -- acc = sum over t of a(t, lane) * b(t, column), with b packed WIDTH wide.  WIDTH is a
 * constant in every call. */
INLINE void multiply (product_tile acc, const real *a, const real *b, size_t n, const int width)
{
#pragma GCC unroll 16
  for (int c = 0; c < width; c++)
#pragma GCC unroll 4
    for (int r = 0; r < TILE_VECTORS; r++)
      acc[c][r] = vec_zero ();
  size_t t = 0;
  for (; t + PRODUCT_STEPS <= n; t += PRODUCT_STEPS) {
#pragma GCC unroll 4
    for (int s = 0; s < PRODUCT_STEPS; s++)
      product_step (acc, a + s * LANES, b + s * width, 1, width, TILE_VECTORS);
    a += PRODUCT_STEPS * LANES;
    b += PRODUCT_STEPS * width;
  }
  for (; t < n; t++, a += LANES, b += width)
    product_step (acc, a, b, 1, width, TILE_VECTORS);
}

/* EACH_WIDTH -- calls F (..., WIDTH) with WIDTH as a constant. */
#define WIDTH_CASE(n, f, ...)                                                                      \
  case n:                                                                                          \
    if (n <= TILE_COLUMNS)                                                                         \
      f (__VA_ARGS__, n <= TILE_COLUMNS ? n : 1);                                                  \
    break
#define EACH_WIDTH(width, f, ...)                                                                  \
  switch (width) {                                                                                 \
    WIDTH_CASE (1, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (2, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (3, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (4, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (5, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (6, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (7, f, __VA_ARGS__);                                                                \
    WIDTH_CASE (8, f, __VA_ARGS__);                                                                \
  default:                                                                                         \
    break;                                                                                         \
  }

/* scores_tile -- WIDTH keys.  A hidden score is replaced, not added to: NaN of a hidden key does
 * not come through.  A mask of -realmax stays that: a row of nothing else is uniform. */
INLINE void scores_tile (const real *q, const real *k, size_t d, const real *bias, real *strip,
                         real *max, const int width)
{
  product_tile acc;
  multiply (acc, q, k, d, width);
  const vec hidden = vec_set1 (-(real)INFINITY), log2e = vec_set1 ((real)KERN_LOG2E);
  const vec lowest = vec_set1 (-REAL_MAX), beyond = vec_set1 (kern_beyond);
#pragma GCC unroll 4
  for (int r = 0; r < TILE_VECTORS; r++) {
    vec top = vec_load (max + r * VEC_LANES);
#pragma GCC unroll 16
    for (int c = 0; c < width; c++) {
      vec s = acc[c][r];
      if (bias != NULL) {
        vec b = vec_load (bias + c * LANES + r * VEC_LANES);
        vec floor = vec_select_eq (b, lowest, lowest, beyond);
        s = vec_max (floor, vec_fma (b, log2e, s)); /* in this order NaN stays */
        s = vec_select_eq (b, hidden, hidden, s);
      }
      top = vec_max (s, top);
      vec_store (strip + c * LANES + r * VEC_LANES, s);
    }
    vec_store (max + r * VEC_LANES, top);
  }
}

INLINE void scores_plain (const real *q, const real *k, size_t d, real *strip, real *max,
                          const int width)
{
  scores_tile (q, k, d, NULL, strip, max, width);
}

void KERN_NAME (scores) (const void *q, const void *k, size_t d, size_t keys, const void *bias,
                         kern_range plain, void *strip, void *max)
{
  const real *group = k, *group_bias = bias;
  real *scores = strip;
  for (size_t j = 0; j < keys; j += TILE_COLUMNS) {
    size_t width = keys - j < TILE_COLUMNS ? keys - j : TILE_COLUMNS;
    if (bias == NULL || (j >= plain.lo && j + width <= plain.hi))
      EACH_WIDTH (width, scores_plain, q, group, d, scores + j * LANES, max)
    else
      EACH_WIDTH (width, scores_tile, q, group, d, group_bias + j * LANES, scores + j * LANES, max)
    group += width * d;
  }
}

INLINE void average_tile (const real *strip, const real *v, size_t keys, const real *factor,
                          real *out, const int width)
{
  product_tile acc;
  multiply (acc, strip, v, keys, width);
#pragma GCC unroll 4
  for (int r = 0; r < TILE_VECTORS; r++) {
    vec f = vec_load (factor + r * VEC_LANES);
#pragma GCC unroll 16
    for (int c = 0; c < width; c++) {
      real *o = out + c * LANES + r * VEC_LANES;
      vec_store (o, vec_fma (vec_load (o), f, acc[c][r]));
    }
  }
}

void KERN_NAME (average) (const void *strip, size_t keys, const void *v, size_t Nk, size_t j0,
                          size_t dv, const void *factor, void *out)
{
  const real *group = v;
  real *sums = out;
  for (size_t c = 0; c < dv; c += TILE_COLUMNS) {
    size_t width = dv - c < TILE_COLUMNS ? dv - c : TILE_COLUMNS;
    EACH_WIDTH (width, average_tile, strip, group + j0 * width, keys, factor, sums + c * LANES)
    group += width * Nk;
  }
}
