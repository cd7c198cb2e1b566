/* Masks, causal order and windows, as numbers to add to one block of scores. */
#include "kernel/isa/attention.h"

enum { AHEAD = 12 }; /* keys whose mask is fetched in advance: each is on its own page of memory */

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

/* What has been seen of some numbers of a bias, a lane each: 0 = not. */
typedef struct {
  veci change, key; /* a bias other than 0, one other than -Inf */
} sight;

static inline void look (sight *seen, vec bias)
{
  seen->change |= vec_bits (bias);
  seen->key |= vec_bits (bias) ^ vec_bits (vec_set1 (hidden));
}

static inline kern_visibility visibility (sight seen)
{
  ireal lanes[2][VEC_LANES], change = 0, key = 0;
  memcpy (lanes[0], &seen.change, sizeof lanes[0]);
  memcpy (lanes[1], &seen.key, sizeof lanes[1]);
  for (int t = 0; t < VEC_LANES; t++) {
    change |= lanes[0][t];
    key |= lanes[1][t];
  }
  return key == 0 ? KERN_HIDDEN : change == 0 ? KERN_PLAIN : KERN_BIASED;
}

/* VEC_LANES mask elements that lie side by side, as a bias. */
static inline vec logical_bias (const uint8_t *mask)
{
  veci hides = widened (mask) == 0;
  return vec_from_bits (hides & vec_bits (vec_set1 (hidden)));
}

#if defined(KERN_REAL_F32)

typedef double wide __attribute__ ((vector_size (VEC_BYTES)));
typedef int64_t wide_bits __attribute__ ((vector_size (VEC_BYTES)));
typedef float narrow __attribute__ ((vector_size (VEC_BYTES / 2)));

/* Finite numbers beyond the range of single become its largest one; NaN and infinities stay. */
static inline wide in_range (wide x)
{
  const wide most = (double)FLT_MAX - (wide){0};
#if defined(__AVX512F__)
  wide cut = _mm512_min_pd (most, _mm512_max_pd (-most, x)); /* in this order NaN stays */
#elif defined(__AVX2__)
  wide cut = _mm256_min_pd (most, _mm256_max_pd (-most, x));
#else
  wide_bits above = x > most, below = x < -most;
  wide cut = (wide)((above & (wide_bits)most) | (below & (wide_bits)-most) |
                    (~(above | below) & (wide_bits)x));
#endif
  wide_bits infinite = ((wide_bits)x & INT64_MAX) == (wide_bits)((double)INFINITY - (wide){0});
  return (wide)((infinite & (wide_bits)x) | (~infinite & (wide_bits)cut));
}

static inline vec joined (narrow low, narrow high)
{
#if defined(__AVX512F__)
  return _mm512_insertf32x8 (_mm512_castps256_ps512 (low), high, 1);
#elif defined(__AVX2__)
  return _mm256_insertf128_ps (_mm256_castps128_ps256 (low), high, 1);
#else
  const narrow halves[] = {low, high};
  return vec_load ((const real *)halves);
#endif
}

static inline vec f32_bias (const float *mask)
{
  return vec_load (mask);
}

static inline vec f64_bias (const double *mask)
{
  wide low, high;
  memcpy (&low, mask, sizeof low);
  memcpy (&high, mask + VEC_LANES / 2, sizeof high);
  return joined (__builtin_convertvector(in_range (low), narrow),
                 __builtin_convertvector(in_range (high), narrow));
}

#else

static inline vec f32_bias (const float *mask)
{
  typedef float narrow __attribute__ ((vector_size (VEC_BYTES / 2)));
  narrow x;
  memcpy (&x, mask, sizeof x);
  return __builtin_convertvector(x, vec);
}

static inline vec f64_bias (const double *mask)
{
  return vec_load (mask);
}

#endif

/* FILL -- keys j0 to j1 - 1 for ROWS queries from I0, by the mask alone; lanes without a
 * query repeat the first one.  Rows that do not lie side by side are brought there first. */
#define FILL(element, convert)                                                                     \
  for (size_t j = j0; j < j1; j++, bias += LANES) {                                                \
    const element *column = (const element *)mask.data + i0 * mask.row + j * mask.col;             \
    fetch_ahead (column, sizeof (element) * AHEAD * mask.col, sizeof (element) * LANES);           \
    element copy[LANES];                                                                           \
    if (!side_by_side) {                                                                           \
      for (size_t r = 0; r < LANES; r++)                                                           \
        copy[r] = column[(r < rows ? r : 0) * mask.row];                                           \
      column = copy;                                                                               \
    }                                                                                              \
    _Pragma ("GCC unroll 4") for (int r = 0; r < LANES; r += VEC_LANES)                            \
    {                                                                                              \
      vec x = convert (column + r);                                                                \
      look (&seen, x);                                                                             \
      vec_store (bias + r, x);                                                                     \
    }                                                                                              \
  }

kern_visibility KERN_NAME (mask) (const kern_page *p, size_t i0, size_t rows, size_t j0, size_t j1,
                                  void *bias_of_keys)
{
  const kern_matrix mask = p->mask;
  real *bias = bias_of_keys;
  sight seen = {{0}, {0}};
  const bool side_by_side = rows == LANES && mask.row == 1;
  switch (p->mask_kind) {
  case ATTN_MASK_NONE:
    memset (bias, 0, (j1 - j0) * LANES * sizeof *bias);
    return KERN_PLAIN;
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
  return visibility (seen);
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

kern_visibility KERN_NAME (hide) (const kern_range *range, size_t rows, size_t j0, size_t j1,
                                  void *bias_of_keys)
{
  real *bias = bias_of_keys;
  for (size_t r = 0; r < LANES; r++)
    hide_outside (range[r < rows ? r : 0], j0, j1, bias + r);
  sight seen = {{0}, {0}};
  for (size_t n = 0; n < (j1 - j0) * LANES; n += VEC_LANES)
    look (&seen, vec_load (bias + n));
  return visibility (seen);
}
