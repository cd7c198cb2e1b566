/* Vectors of one element type for one instruction set.
 *
 * A file in this folder is compiled once for each instruction set (-DKERN_ISA=generic, avx2 or
 * avx512) and element type (-DKERN_REAL_F32 or -DKERN_REAL_F64).  It writes its code once, with
 * `real`, `vec` and the operations below, and names what it exports KERN_NAME (something), which
 * adds the instruction set and the type: kern_something_avx2_f32.
 *
 *   real, ireal          element, and signed integer of the same size
 *   vec, veci            VEC_LANES of them
 *   vec_zero, vec_set1 (x), vec_load (p), vec_store (p, v)        any alignment
 *   vec_add, vec_sub, vec_mul, vec_fma (a, b, c) = a*b + c        one rounding except in generic
 *   vec_accumulate (&acc, a, b)      acc = vec_fma (a, b, acc), an accumulator of a product
 *   vec_max (a, b)                   a > b ? a : b, so b where either is NaN
 *   vec_select_lt (a, b, x, y)       a < b ? x : y
 *   vec_select_eq (a, b, x, y)       a == b ? x : y
 *   vec_bits (v), vec_from_bits (v)  the same bits as integers and back
 *   vec_sum (v)                      sum over the lanes
 *
 * Tiles of a product: TILE_VECTORS vectors by TILE_COLUMNS columns of accumulators, which with the
 * vectors of one operand and a broadcast of the other stay in the registers: 2*6 + 2 + 1 of 16;
 * SSE2 needs one more to multiply; 2*8 of the 32 of AVX-512 are already more than two multipliers
 * of four cycles can have in flight. */
#ifndef KERNEL_ISA_SIMD_H
#define KERNEL_ISA_SIMD_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* For functions whose loops unroll by constant arguments. */
#define INLINE static inline __attribute__ ((always_inline))

#define KERN_PASTE_(a, b, c, d) a##b##_##c##_##d
#define KERN_PASTE(a, b, c, d) KERN_PASTE_ (a, b, c, d)

#if defined(KERN_REAL_F32)
#define KERN_REAL_NAME f32
#define KERN_SUFFIX(name) name##ps
typedef float real;
typedef int32_t ireal;
#define REAL(x) x##f
#define REAL_ABS fabsf
#define REAL_MAX FLT_MAX
#define REAL_MIN FLT_MIN
#define REAL_EPSILON FLT_EPSILON
#define REAL_DIGITS FLT_MANT_DIG
#define REAL_EXPONENTS FLT_MAX_EXP
#else
#define KERN_REAL_NAME f64
#define KERN_SUFFIX(name) name##pd
typedef double real;
typedef int64_t ireal;
#define REAL(x) x
#define REAL_ABS fabs
#define REAL_MAX DBL_MAX
#define REAL_MIN DBL_MIN
#define REAL_EPSILON DBL_EPSILON
#define REAL_DIGITS DBL_MANT_DIG
#define REAL_EXPONENTS DBL_MAX_EXP
#endif

#define KERN_NAME(name) KERN_PASTE (kern_, name, KERN_ISA, KERN_REAL_NAME)

#if defined(__AVX512F__)
#define VEC_BYTES 64
#elif defined(__AVX2__)
#define VEC_BYTES 32
#else
#define VEC_BYTES 16
#endif
enum { VEC_LANES = VEC_BYTES / sizeof (real) };

typedef ireal veci __attribute__ ((vector_size (VEC_BYTES)));

#if defined(__AVX512F__)

#include <immintrin.h>
enum { TILE_VECTORS = 2, TILE_COLUMNS = 8 };
#define VEC_OP(name) KERN_SUFFIX (_mm512_##name##_)
#if defined(KERN_REAL_F32)
typedef __m512 vec;
#else
typedef __m512d vec;
#endif

#elif defined(__AVX2__)

#include <immintrin.h>
enum { TILE_VECTORS = 2, TILE_COLUMNS = 6 };
#define VEC_OP(name) KERN_SUFFIX (_mm256_##name##_)
#if defined(KERN_REAL_F32)
typedef __m256 vec;
#else
typedef __m256d vec;
#endif

#else

enum { TILE_VECTORS = 2, TILE_COLUMNS = 4 };
typedef real vec __attribute__ ((vector_size (VEC_BYTES)));

#endif

/* The plain operators work on every vector type of gcc and clang. */
static inline vec vec_add (vec a, vec b)
{
  return a + b;
}

static inline vec vec_sub (vec a, vec b)
{
  return a - b;
}

static inline vec vec_mul (vec a, vec b)
{
  return a * b;
}

static inline veci vec_bits (vec a)
{
  return (veci)a;
}

static inline vec vec_from_bits (veci a)
{
  return (vec)a;
}

#if defined(VEC_OP)

static inline vec vec_zero (void)
{
  return VEC_OP (setzero) ();
}

static inline vec vec_set1 (real x)
{
  return VEC_OP (set1) (x);
}

static inline vec vec_load (const real *p)
{
  return VEC_OP (loadu) (p);
}

static inline void vec_store (real *p, vec a)
{
  VEC_OP (storeu) (p, a);
}

static inline vec vec_fma (vec a, vec b, vec c)
{
  return VEC_OP (fmadd) (a, b, c);
}

static inline vec vec_max (vec a, vec b)
{
  return VEC_OP (max) (a, b);
}

#else

static inline vec vec_zero (void)
{
  return (vec){0};
}

static inline vec vec_set1 (real x)
{
  return x - (vec){0};
}

static inline vec vec_load (const real *p)
{
  vec a;
  memcpy (&a, p, sizeof a);
  return a;
}

static inline void vec_store (real *p, vec a)
{
  memcpy (p, &a, sizeof a);
}

static inline vec vec_fma (vec a, vec b, vec c)
{
  return a * b + c;
}

static inline vec vec_blend (veci choose, vec x, vec y)
{
  return (vec)((choose & (veci)x) | (~choose & (veci)y));
}

static inline vec vec_max (vec a, vec b)
{
  return vec_blend (a > b, a, b);
}

#endif

#if defined(__AVX512F__) && defined(KERN_REAL_F32)
#define VEC_SELECT(op, a, b, x, y) _mm512_mask_blend_ps (_mm512_cmp_ps_mask (a, b, op), y, x)
#elif defined(__AVX512F__)
#define VEC_SELECT(op, a, b, x, y) _mm512_mask_blend_pd (_mm512_cmp_pd_mask (a, b, op), y, x)
#elif defined(__AVX2__)
#define VEC_SELECT(op, a, b, x, y) VEC_OP (blendv) (y, x, VEC_OP (cmp) (a, b, op))
#endif

static inline vec vec_select_lt (vec a, vec b, vec x, vec y)
{
#if defined(VEC_SELECT)
  return VEC_SELECT (_CMP_LT_OQ, a, b, x, y);
#else
  return vec_blend (a < b, x, y);
#endif
}

static inline vec vec_select_eq (vec a, vec b, vec x, vec y)
{
#if defined(VEC_SELECT)
  return VEC_SELECT (_CMP_EQ_OQ, a, b, x, y);
#else
  return vec_blend (a == b, x, y);
#endif
}

/* Written as the one of the three instructions that adds in place: GCC, free to choose, moves and
 * spills the accumulators of an unrolled loop. */
static inline void vec_accumulate (vec *acc, vec a, vec b)
{
#if defined(VEC_OP) && defined(KERN_REAL_F32)
  __asm__("vfmadd231ps %2, %1, %0" : "+v"(*acc) : "v"(a), "v"(b));
#elif defined(VEC_OP)
  __asm__("vfmadd231pd %2, %1, %0" : "+v"(*acc) : "v"(a), "v"(b));
#else
  *acc = vec_fma (a, b, *acc);
#endif
}

static inline real vec_sum (vec a)
{
  real lane[VEC_LANES];
  vec_store (lane, a);
  for (int half = VEC_LANES / 2; half > 0; half /= 2)
    for (int t = 0; t < half; t++)
      lane[t] += lane[t + half];
  return lane[0];
}

#endif
