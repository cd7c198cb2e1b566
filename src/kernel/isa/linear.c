/* y += x*w for few tokens: the weight comes from memory once, in runs of consecutive rows.
 *
 * w is taken in blocks of ROWS rows by COLUMNS columns.  With many tokens a block is first copied
 * to strips of STRIP columns, because the rows of a wide layer lie a multiple of 4096 bytes apart
 * and would push one another out of the first-level cache; the next block is prefetched meanwhile.
 * With very few tokens the copy would cost more than the products. */
#include "kernel/isa/dense.h"

#define INLINE static inline __attribute__ ((always_inline))

enum {
  STRIP = 2 * VEC_LANES,
  ROWS = 64,
  COLUMNS = KERN_LINEAR_COLUMNS,
  STREAM_ROWS = 4, /* rows of w that go through the columns together */
  LINE = 64 / sizeof (real)
};
_Static_assert(COLUMNS % STRIP == 0, "a block holds whole strips");

/* tile -- y (tokens-by-STRIP) += x (tokens-by-rows) * strip (rows-by-STRIP).  TOKENS is a constant
 * in every call, so that the loops unroll and the sums stay in registers.  next: NULL, or the same
 * columns of the next block, whose rows are fetched to the second-level cache. */
INLINE void tile (const real *x, size_t x_row, const real *strip, size_t rows, real *y,
                  size_t y_row, const real *next, size_t next_row, const int tokens)
{
  vec sum[TILE_COLUMNS][2];
#pragma GCC unroll 16
  for (int t = 0; t < tokens; t++) {
    sum[t][0] = vec_load (y + (size_t)t * y_row);
    sum[t][1] = vec_load (y + (size_t)t * y_row + VEC_LANES);
  }
  for (size_t k = 0; k < rows; k++) {
    vec w0 = vec_load (strip + k * STRIP), w1 = vec_load (strip + k * STRIP + VEC_LANES);
    if (next != NULL)
      for (size_t j = 0; j < STRIP; j += LINE)
        __builtin_prefetch (next + k * next_row + j, 0, 2);
#pragma GCC unroll 16
    for (int t = 0; t < tokens; t++) {
      vec value = vec_set1 (x[(size_t)t * x_row + k]);
      sum[t][0] = vec_fma (value, w0, sum[t][0]);
      sum[t][1] = vec_fma (value, w1, sum[t][1]);
    }
  }
#pragma GCC unroll 16
  for (int t = 0; t < tokens; t++) {
    vec_store (y + (size_t)t * y_row, sum[t][0]);
    vec_store (y + (size_t)t * y_row + VEC_LANES, sum[t][1]);
  }
}

/* tile_fetching, tile_alone -- each count of tokens once with and once without the prefetch. */
#define TILE_CASE(n)                                                                               \
  case n:                                                                                          \
    if (n <= TILE_COLUMNS && next != NULL)                                                         \
      tile (x, x_row, strip, rows, y, y_row, next, next_row, n <= TILE_COLUMNS ? n : 1);           \
    else if (n <= TILE_COLUMNS)                                                                    \
      tile (x, x_row, strip, rows, y, y_row, NULL, 0, n <= TILE_COLUMNS ? n : 1);                  \
    break

static void tile_of (size_t tokens, const real *x, size_t x_row, const real *strip, size_t rows,
                     real *y, size_t y_row, const real *next, size_t next_row)
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

/* all_tokens -- one strip for T tokens in tiles of nearly equal height; the first of them fetches
 * the next block. */
static void all_tokens (const real *x, size_t x_row, const real *strip, size_t rows, real *y,
                        size_t y_row, const real *next, size_t next_row, size_t T)
{
  size_t tiles = (T + TILE_COLUMNS - 1) / TILE_COLUMNS;
  for (size_t t = 0; tiles > 0; tiles--) {
    size_t tokens = (T - t + tiles - 1) / tiles;
    tile_of (tokens, x + t * x_row, x_row, strip, rows, y + t * y_row, y_row, next, next_row);
    next = NULL;
    t += tokens;
  }
}

/* pack -- ROWS-by-COLUMNS w to strips that follow one another. */
static void pack (const real *w, size_t w_row, size_t rows, size_t columns, real *strips)
{
  for (size_t k = 0; k < rows; k++)
    for (size_t j = 0; j < columns; j += STRIP) {
      real *to = strips + j * rows + k * STRIP;
      vec_store (to, vec_load (w + k * w_row + j));
      vec_store (to + VEC_LANES, vec_load (w + k * w_row + j + VEC_LANES));
    }
}

/* packed -- all K rows of up to COLUMNS columns, whole strips. */
static void packed (const real *x, size_t x_row, const real *w, size_t w_row, real *y, size_t y_row,
                    size_t T, size_t K, size_t columns)
{
  _Alignas(VEC_BYTES) real strips[ROWS * COLUMNS];
  for (size_t k = 0; k < K; k += ROWS) {
    size_t rows = K - k < ROWS ? K - k : ROWS;
    const real *block = w + k * w_row;
    const real *next = K - k >= 2 * ROWS ? block + ROWS * w_row : NULL;
    pack (block, w_row, rows, columns, strips);
    for (size_t j = 0; j < columns; j += STRIP)
      all_tokens (x + k, x_row, strips + j * rows, rows, y + j, y_row,
                  next != NULL ? next + j : NULL, w_row, T);
  }
}

/* stream_rows -- y += x*w for ROWS_ rows of w and all columns, two vectors at a time. */
INLINE void stream_rows (const real *x, size_t x_row, const real *w, size_t w_row, real *y,
                         size_t y_row, size_t columns, size_t ahead, const int tokens,
                         const int rows)
{
  for (size_t j = 0; j < columns; j += STRIP) {
    vec sum[KERN_LINEAR_STREAM][2];
#pragma GCC unroll 16
    for (int t = 0; t < tokens; t++) {
      sum[t][0] = vec_load (y + (size_t)t * y_row + j);
      sum[t][1] = vec_load (y + (size_t)t * y_row + j + VEC_LANES);
    }
#pragma GCC unroll 16
    for (int k = 0; k < rows; k++) {
      const real *row = w + (size_t)k * w_row + j;
      for (size_t i = 0; i < STRIP; i += LINE)
        __builtin_prefetch (row + ahead + i, 0, 3);
      vec w0 = vec_load (row), w1 = vec_load (row + VEC_LANES);
#pragma GCC unroll 16
      for (int t = 0; t < tokens; t++) {
        vec value = vec_set1 (x[(size_t)t * x_row + (size_t)k]);
        sum[t][0] = vec_fma (value, w0, sum[t][0]);
        sum[t][1] = vec_fma (value, w1, sum[t][1]);
      }
    }
#pragma GCC unroll 16
    for (int t = 0; t < tokens; t++) {
      vec_store (y + (size_t)t * y_row + j, sum[t][0]);
      vec_store (y + (size_t)t * y_row + j + VEC_LANES, sum[t][1]);
    }
  }
}

INLINE void stream_tokens (const real *x, size_t x_row, const real *w, size_t w_row, real *y,
                           size_t y_row, size_t K, size_t columns, const int tokens)
{
  size_t k = 0;
  for (; k + STREAM_ROWS <= K; k += STREAM_ROWS) {
    size_t ahead = K - k >= 2 * STREAM_ROWS ? STREAM_ROWS * w_row : 0;
    stream_rows (x + k, x_row, w + k * w_row, w_row, y, y_row, columns, ahead, tokens, STREAM_ROWS);
  }
  for (; k < K; k++)
    stream_rows (x + k, x_row, w + k * w_row, w_row, y, y_row, columns, 0, tokens, 1);
}

/* stream -- T <= KERN_LINEAR_STREAM tokens, whole strips, w where it lies. */
static void stream (const real *x, size_t x_row, const real *w, size_t w_row, real *y, size_t y_row,
                    size_t T, size_t K, size_t columns)
{
  switch (T) {
  case 1:
    stream_tokens (x, x_row, w, w_row, y, y_row, K, columns, 1);
    break;
  case 2:
    stream_tokens (x, x_row, w, w_row, y, y_row, K, columns, 2);
    break;
  case 3:
    stream_tokens (x, x_row, w, w_row, y, y_row, K, columns, 3);
    break;
  case 4:
    stream_tokens (x, x_row, w, w_row, y, y_row, K, columns, 4);
    break;
  default:
    break;
  }
}

/* narrow -- the last COLUMNS < STRIP columns, through a strip filled up with zeros. */
static void narrow (const real *x, size_t x_row, const real *w, size_t w_row, real *y, size_t y_row,
                    size_t T, size_t K, size_t columns)
{
  real strip[ROWS * STRIP] = {0}, sum[TILE_COLUMNS * STRIP] = {0};
  for (size_t k = 0; k < K; k += ROWS) {
    size_t rows = K - k < ROWS ? K - k : ROWS;
    for (size_t i = 0; i < rows; i++)
      memcpy (strip + i * STRIP, w + (k + i) * w_row, columns * sizeof (real));
    for (size_t t = 0; t < T; t += TILE_COLUMNS) {
      size_t tokens = T - t < TILE_COLUMNS ? T - t : TILE_COLUMNS;
      for (size_t i = 0; i < tokens; i++)
        memcpy (sum + i * STRIP, y + (t + i) * y_row, columns * sizeof (real));
      tile_of (tokens, x + t * x_row + k, x_row, strip, rows, sum, STRIP, NULL, 0);
      for (size_t i = 0; i < tokens; i++)
        memcpy (y + (t + i) * y_row, sum + i * STRIP, columns * sizeof (real));
    }
  }
}

void KERN_NAME (linear) (const void *x, size_t x_row, const void *w, size_t w_row, void *y,
                         size_t y_row, size_t T, size_t K, size_t n)
{
  const real *weight = w;
  real *out = y;
  size_t whole = n / STRIP * STRIP;
  if (T <= KERN_LINEAR_STREAM)
    stream (x, x_row, weight, w_row, out, y_row, T, K, whole);
  else
    for (size_t j = 0; j < whole; j += COLUMNS)
      packed (x, x_row, weight + j, w_row, out + j, y_row, T, K,
              whole - j < COLUMNS ? whole - j : COLUMNS);
  if (n > whole)
    narrow (x, x_row, weight + whole, w_row, out + whole, y_row, T, K, n - whole);
}
