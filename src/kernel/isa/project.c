/* y = x*w' for few tokens: rows of w are read where they lie, each once.
 *
 * A tile is WEIGHTS rows of w by up to TOKENS tokens, with the lanes along the contraction. */
#include "kernel/isa/dense.h"

enum { WEIGHTS = 4, TOKENS = TILE_COLUMNS / 2 };

/* finish -- y from the sums by lanes and the columns K0 to K - 1 that fill no vector. */
static void finish (const real *lanes, const real *x, size_t x_row, const real *w, real *y,
                    size_t y_row, size_t k0, size_t K, size_t weights, size_t tokens)
{
  for (size_t t = 0; t < tokens; t++)
    for (size_t i = 0; i < weights; i++) {
      real total = vec_sum (vec_load (lanes + (t * weights + i) * VEC_LANES));
      for (size_t k = k0; k < K; k++)
        total += x[t * x_row + k] * w[i * K + k];
      y[t * y_row + i] = total;
    }
}

/* tile -- the two counts are constants in every call.  next: a row of w to be fetched meanwhile. */
INLINE void tile (const real *x, size_t x_row, const real *w, const real *next, real *y,
                  size_t y_row, size_t K, const int weights, const int tokens)
{
  vec sum[TOKENS][WEIGHTS];
#pragma GCC unroll 16
  for (int t = 0; t < tokens; t++)
#pragma GCC unroll 16
    for (int i = 0; i < weights; i++)
      sum[t][i] = vec_zero ();
  size_t k = 0;
  for (; k + VEC_LANES <= K; k += VEC_LANES) {
    vec value[TOKENS];
    __builtin_prefetch (next + k, 0, 3);
#pragma GCC unroll 16
    for (int t = 0; t < tokens; t++)
      value[t] = vec_load (x + (size_t)t * x_row + k);
#pragma GCC unroll 16
    for (int i = 0; i < weights; i++) {
      vec weight = vec_load (w + (size_t)i * K + k);
#pragma GCC unroll 16
      for (int t = 0; t < tokens; t++)
        sum[t][i] = vec_fma (value[t], weight, sum[t][i]);
    }
  }
  real lanes[TOKENS * WEIGHTS * VEC_LANES];
#pragma GCC unroll 16
  for (int t = 0; t < tokens; t++)
#pragma GCC unroll 16
    for (int i = 0; i < weights; i++)
      vec_store (lanes + (t * weights + i) * VEC_LANES, sum[t][i]);
  finish (lanes, x, x_row, w, y, y_row, k, K, (size_t)weights, (size_t)tokens);
}

#define TILE_CASE(n)                                                                               \
  case n:                                                                                          \
    if (n <= TOKENS)                                                                               \
      tile (x, x_row, w, next, y, y_row, K, weights, n <= TOKENS ? n : 1);                         \
    break

/* all_tokens -- `weights` rows of w; each tile fetches one of the rows behind them, of which
 * there are BEHIND. */
INLINE void all_tokens (const real *x, size_t x_row, const real *w, size_t behind, real *y,
                        size_t y_row, size_t T, size_t K, const int weights)
{
  size_t tiles = (T + TOKENS - 1) / TOKENS;
  for (; tiles > 0; tiles--) {
    size_t tokens = (T + tiles - 1) / tiles;
    const real *next = w + (tiles <= behind ? WEIGHTS + tiles - 1 : 0) * K;
    switch (tokens) {
      TILE_CASE (1);
      TILE_CASE (2);
      TILE_CASE (3);
      TILE_CASE (4);
    default:
      break;
    }
    x += tokens * x_row;
    y += tokens * y_row;
    T -= tokens;
  }
}

void KERN_NAME (project) (const void *x, size_t x_row, const void *w, void *y, size_t y_row,
                          size_t T, size_t K, size_t n)
{
  const real *weight = w;
  real *out = y;
  size_t i = 0;
  for (; i + WEIGHTS <= n; i += WEIGHTS)
    all_tokens (x, x_row, weight + i * K, n - i >= 2 * WEIGHTS ? WEIGHTS : 0, out + i, y_row, T, K,
                WEIGHTS);
  for (; i < n; i++)
    all_tokens (x, x_row, weight + i * K, 0, out + i, y_row, T, K, 1);
}
