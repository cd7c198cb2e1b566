/* y += x*w for few tokens: the weight is used where it lies and comes from memory once.
 *
 * ROWS rows of w at a time go through a panel of columns, strip by strip, while the same strip of
 * the next rows is fetched.  The sums of a panel and the columns of x that meet these rows are
 * copied to memory without gaps first: rows of a wide layer lie a multiple of 4096 bytes apart and
 * would push one another out of the first-level cache. */
#include "kernel/isa/dense.h"

enum {
  STRIP = 2 * VEC_LANES,
  ROWS = 8,
  PANEL = KERN_LINEAR_COLUMNS,
  TOKENS = KERN_LINEAR_TOKENS,
  LINE = 64 / sizeof (real),
  SUMS_ROW = PANEL + LINE /* an odd number of cache lines */
};
_Static_assert(PANEL % STRIP == 0, "a panel holds whole strips");

/* tile -- sums (tokens-by-STRIP) += x (tokens-by-ROWS) * w (ROWS-by-STRIP, rows w_row apart).
 * `tokens` is a constant in every call, so that the loops unroll and the sums stay in registers. */
INLINE void tile (const real *x, const real *w, size_t w_row, real *sums, const int tokens)
{
  vec sum[TILE_COLUMNS][2];
#pragma GCC unroll 16
  for (int t = 0; t < tokens; t++) {
    sum[t][0] = vec_load (sums + t * SUMS_ROW);
    sum[t][1] = vec_load (sums + t * SUMS_ROW + VEC_LANES);
  }
#pragma GCC unroll 8
  for (int k = 0; k < ROWS; k++) {
    vec w0 = vec_load (w + (size_t)k * w_row), w1 = vec_load (w + (size_t)k * w_row + VEC_LANES);
#pragma GCC unroll 16
    for (int t = 0; t < tokens; t++) {
      vec value = vec_set1 (x[t * ROWS + k]);
      sum[t][0] = vec_fma (value, w0, sum[t][0]);
      sum[t][1] = vec_fma (value, w1, sum[t][1]);
    }
  }
#pragma GCC unroll 16
  for (int t = 0; t < tokens; t++) {
    vec_store (sums + t * SUMS_ROW, sum[t][0]);
    vec_store (sums + t * SUMS_ROW + VEC_LANES, sum[t][1]);
  }
}

#define TILE_CASE(n)                                                                               \
  case n:                                                                                          \
    if (n <= TILE_COLUMNS)                                                                         \
      tile (x, w, w_row, sums, n <= TILE_COLUMNS ? n : 1);                                         \
    break

static inline void tile_of (size_t tokens, const real *x, const real *w, size_t w_row, real *sums)
{
  switch (tokens) {
    TILE_CASE (1);
    TILE_CASE (2);
    TILE_CASE (3);
    TILE_CASE (4);
    TILE_CASE (5);
    TILE_CASE (6);
    TILE_CASE (7);
    TILE_CASE (8);
  default:
    break;
  }
}

/* strip_tokens -- one strip for T tokens, in TILES tiles of nearly equal height. */
static inline void strip_tokens (const real *x, const real *w, size_t w_row, real *sums, size_t T,
                                 size_t tiles)
{
  size_t height = T / tiles, higher = T % tiles;
  for (size_t i = 0; i < tiles; i++) {
    size_t tokens = height + (i < higher);
    tile_of (tokens, x, w, w_row, sums);
    x += tokens * ROWS;
    sums += tokens * SUMS_ROW;
  }
}

/* fetch -- ROWS-by-STRIP numbers of w. */
static inline void fetch (const real *w, size_t w_row)
{
#pragma GCC unroll 8
  for (size_t k = 0; k < ROWS; k++)
#pragma GCC unroll 4
    for (size_t j = 0; j < STRIP; j += LINE)
      __builtin_prefetch (w + k * w_row + j, 0, 3);
}

/* pad -- ROWS-by-STRIP numbers: ROWS_ by COLUMNS of w and zeros. */
static void pad (const real *w, size_t w_row, size_t rows, size_t columns, real *strip)
{
  memset (strip, 0, ROWS * STRIP * sizeof (real));
  for (size_t k = 0; k < rows; k++)
    memcpy (strip + k * STRIP, w + k * w_row, columns * sizeof (real));
}

/* rows_through -- up to ROWS rows of w through the panel; next: where the rows behind them are. */
static void rows_through (const real *x, const real *w, const real *next, size_t w_row, size_t rows,
                          size_t columns, real *sums, size_t T)
{
  const size_t tiles = (T + TILE_COLUMNS - 1) / TILE_COLUMNS;
  real strip[ROWS * STRIP];
  size_t j = 0;
  for (; rows == ROWS && j + STRIP <= columns; j += STRIP) {
    fetch (next + j, w_row);
    strip_tokens (x, w + j, w_row, sums + j, T, tiles);
  }
  for (; j < columns; j += STRIP) {
    pad (w + j, w_row, rows, columns - j < STRIP ? columns - j : STRIP, strip);
    strip_tokens (x, strip, STRIP, sums + j, T, tiles);
  }
}

/* panel -- all K rows of at most PANEL columns, at most TOKENS tokens. */
static void panel (const real *x, size_t x_row, const real *w, size_t w_row, real *y, size_t y_row,
                   size_t T, size_t K, size_t columns)
{
  real sums[TOKENS * SUMS_ROW], part[TOKENS * ROWS] = {0};
  const size_t whole = (columns + STRIP - 1) / STRIP * STRIP;
  for (size_t t = 0; t < T; t++) {
    memcpy (sums + t * SUMS_ROW, y + t * y_row, columns * sizeof (real));
    memset (sums + t * SUMS_ROW + columns, 0, (whole - columns) * sizeof (real));
  }
  for (size_t k = 0; k < K; k += ROWS) {
    size_t rows = K - k < ROWS ? K - k : ROWS;
    for (size_t t = 0; t < T; t++) {
      memcpy (part + t * ROWS, x + t * x_row + k, rows * sizeof (real));
      memset (part + t * ROWS + rows, 0, (ROWS - rows) * sizeof (real));
    }
    size_t ahead = K - k >= 2 * ROWS ? ROWS : 0;
    rows_through (part, w + k * w_row, w + (k + ahead) * w_row, w_row, rows, columns, sums, T);
  }
  for (size_t t = 0; t < T; t++)
    memcpy (y + t * y_row, sums + t * SUMS_ROW, columns * sizeof (real));
}

void KERN_NAME (linear) (const void *x, size_t x_row, const void *w, size_t w_row, void *y,
                         size_t y_row, size_t T, size_t K, size_t n)
{
  const real *in = x, *weight = w;
  real *out = y;
  for (size_t t = 0; t < T; t += TOKENS)
    for (size_t j = 0; j < n; j += PANEL)
      panel (in + t * x_row, x_row, weight + j, w_row, out + t * y_row + j, y_row,
             T - t < TOKENS ? T - t : TOKENS, K, n - j < PANEL ? n - j : PANEL);
}
