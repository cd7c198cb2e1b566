/* Masks, causal order and windows, as numbers to add to one block of scores. */
#include "kernel/isa/attention.h"

enum {
  LINE = 64, /* bytes of a cache line */
  AHEAD = 12 /* keys whose mask is asked for in advance: each is on a page of memory of its own */
};

static const real hidden = -(real)INFINITY;

/* VEC_LANES bytes as integers. */
static inline veci widened (const uint8_t *mask)
{
#if defined(__AVX512F__) && defined(KERN_REAL_F32)
  return (veci)_mm512_cvtepu8_epi32 (_mm_loadu_si128 ((const __m128i *)mask));
#elif defined(__AVX512F__)
  return (veci)_mm512_cvtepu8_epi64 (_mm_loadu_si64 (mask));
#elif defined(__AVX2__) && defined(KERN_REAL_F32)
  return (veci)_mm256_cvtepu8_epi32 (_mm_loadu_si64 (mask));
#elif defined(__AVX2__)
  int32_t four; /* the intrinsic for such a load is wrong in early releases of gcc 11 */
  memcpy (&four, mask, sizeof four);
  return (veci)_mm256_cvtepu8_epi64 (_mm_cvtsi32_si128 (four));
#else
  typedef uint8_t bytes __attribute__ ((vector_size (VEC_LANES)));
  bytes m;
  memcpy (&m, mask, sizeof m);
  return __builtin_convertvector(m, veci);
#endif
}

/* LANES mask elements that lie side by side. */
static inline void logical_bias (const uint8_t *mask, real *bias)
{
  for (int r = 0; r < LANES; r += VEC_LANES) {
    veci hides = widened (mask + r) == 0;
    vec_store (bias + r, vec_from_bits (hides & vec_bits (vec_set1 (hidden))));
  }
}

static inline void f32_bias (const float *mask, real *bias)
{
  for (int r = 0; r < LANES; r++)
    bias[r] = (real)mask[r];
}

#if defined(KERN_REAL_F32)

typedef double wide __attribute__ ((vector_size (VEC_BYTES)));
typedef int64_t wide_bits __attribute__ ((vector_size (VEC_BYTES)));
typedef float narrow __attribute__ ((vector_size (VEC_BYTES / 2)));

static inline wide wide_blend (wide_bits choose, wide x, wide y)
{
  return (wide)((choose & (wide_bits)x) | (~choose & (wide_bits)y));
}

/* Finite numbers beyond the range of single become its largest one; NaN and infinities stay. */
static inline void f64_bias (const double *mask, real *bias)
{
  const wide limit = (double)FLT_MAX - (wide){0}, infinity = (double)INFINITY - (wide){0};
  for (int r = 0; r < LANES; r += VEC_LANES / 2) {
    wide x;
    memcpy (&x, mask + r, sizeof x);
    x = wide_blend ((x > limit) & (x < infinity), limit, x);
    x = wide_blend ((x < -limit) & (x > -infinity), -limit, x);
    narrow y = __builtin_convertvector(x, narrow);
    memcpy (bias + r, &y, sizeof y);
  }
}

#else

static inline void f64_bias (const double *mask, real *bias)
{
  memcpy (bias, mask, LANES * sizeof *bias);
}

#endif

/* ask_ahead -- the lines of LANES elements of SIZE that lie DISTANCE bytes after COLUMN. */
static inline void ask_ahead (const void *column, size_t distance, size_t size)
{
  const uintptr_t at = (uintptr_t)column + distance;
  for (size_t byte = 0; byte < LANES * size; byte += LINE)
    __builtin_prefetch ((const void *)(at + byte));
  __builtin_prefetch ((const void *)(at + LANES * size - 1));
}

/* FILL -- keys j0 to j1 - 1 for ROWS queries from I0, by the mask alone; lanes without a
 * query repeat the first one.  Rows that do not lie side by side are brought there first. */
#define FILL(element, convert)                                                                     \
  for (size_t j = j0; j < j1; j++, bias += LANES) {                                                \
    const element *column = (const element *)p->mask.data + i0 * p->mask.row + j * p->mask.col;    \
    ask_ahead (column, AHEAD * p->mask.col * sizeof (element), sizeof (element));                  \
    element copy[LANES];                                                                           \
    if (!side_by_side) {                                                                           \
      for (size_t r = 0; r < LANES; r++)                                                           \
        copy[r] = column[(r < rows ? r : 0) * p->mask.row];                                        \
      column = copy;                                                                               \
    }                                                                                              \
    convert (column, bias);                                                                        \
  }

void KERN_NAME (mask) (const kern_page *p, size_t i0, size_t rows, size_t j0, size_t j1,
                       void *bias_of_keys)
{
  real *bias = bias_of_keys;
  const bool side_by_side = rows == LANES && p->mask.row == 1;
  switch (p->mask_kind) {
  case ATTN_MASK_NONE:
    memset (bias, 0, (j1 - j0) * LANES * sizeof *bias);
    break;
  case ATTN_MASK_LOGICAL:
    FILL (uint8_t, logical_bias)
    break;
  case ATTN_MASK_F32:
    FILL (float, f32_bias)
    break;
  case ATTN_MASK_F64:
    FILL (double, f64_bias)
    break;
  }
}

/* hide_outside -- one lane: -Inf for the keys of j0 to j1 - 1 that RANGE leaves out. */
static void hide_outside (kern_range range, size_t j0, size_t j1, real *bias)
{
  size_t lo = range.lo < j1 ? range.lo : j1;
  for (size_t j = j0; j < lo; j++)
    bias[(j - j0) * LANES] = hidden;
  for (size_t j = range.hi > j0 ? range.hi : j0; j < j1; j++)
    bias[(j - j0) * LANES] = hidden;
}

/* classify -- what the ROWS queries make of KEYS keys together. */
static kern_visibility classify (const real *bias, size_t keys, size_t rows)
{
  const vec zero = vec_zero (), one = vec_set1 (1), minus_infinity = vec_set1 (hidden);
  vec all_zero[TILE_VECTORS], any_visible[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++) {
    all_zero[r] = one;
    any_visible[r] = zero;
  }
  for (size_t j = 0; j < keys; j++, bias += LANES)
    for (int r = 0; r < TILE_VECTORS; r++) {
      vec b = vec_load (bias + r * VEC_LANES);
      all_zero[r] = vec_select_eq (b, zero, all_zero[r], zero);
      any_visible[r] = vec_select_eq (b, minus_infinity, any_visible[r], one);
    }
  real zeros[LANES], visible[LANES];
  for (int r = 0; r < TILE_VECTORS; r++) {
    vec_store (zeros + r * VEC_LANES, all_zero[r]);
    vec_store (visible + r * VEC_LANES, any_visible[r]);
  }
  size_t plain_rows = 0, seeing_rows = 0;
  for (size_t r = 0; r < rows; r++) {
    plain_rows += zeros[r] != 0;
    seeing_rows += visible[r] != 0;
  }
  return seeing_rows == 0 ? KERN_HIDDEN : plain_rows == rows ? KERN_PLAIN : KERN_BIASED;
}

kern_visibility KERN_NAME (hide) (const kern_range *range, size_t rows, size_t j0, size_t j1,
                                  void *bias)
{
  for (size_t r = 0; r < rows; r++)
    hide_outside (range[r], j0, j1, (real *)bias + r);
  return classify (bias, j1 - j0, rows);
}
