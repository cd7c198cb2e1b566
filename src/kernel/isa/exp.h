/* exp of a vector of numbers that are not above 0. */
#ifndef KERNEL_ISA_EXP_H
#define KERNEL_ISA_EXP_H

#include "kernel/isa/simd.h"

/* Coefficients of r^2, r^3, ... of the polynomial 1 + r + ... that has the smallest largest
 * relative error against exp (r) for |r| <= log (2)/2 (Remez's exchange): 3.1e-9 and 3.3e-17. */
#if defined(KERN_REAL_F32)
static const real exp_coefficients[] = {0.49999993432129290f, 0.16666520399042530f,
                                        0.041668390783547914f, 0.0083687451089425907f,
                                        0.0013814540176801306f};
/* The upper part of log (2) has so many trailing zeros that its product with n is exact. */
static const real exp_ln2_high = 0x1.62e4p-1f, exp_ln2_low = 0x1.7f7d1cp-20f;
#else
static const real exp_coefficients[] = {0.50000000000000037309,     0.16666666666667175562,
                                        0.04166666666659511368,     0.0083333333329205520737,
                                        0.0013888888926287986756,   0.00019841270882911332774,
                                        0.000024801510287263525623, 2.7556284326812015191e-6,
                                        2.7624551203869782112e-7,   2.5424684053140585058e-8};
static const real exp_ln2_high = 0x1.62e42fefa3800p-1, exp_ln2_low = 0x1.ef35793c76730p-45;
#endif

enum { EXP_VECTORS = 4 }; /* at most at once; the registers hold no more */

/* vec_exp_each -- exp (x) for each of COUNT vectors x <= 0, within 2 ulp; exactly 0 from -87.7
 * ("single") and -708.7 down, where the result leaves the normal range; NaN stays NaN.
 * exp (x) = 2^n * exp (r) with n = round (x/log (2)) and r = x - n*log (2).
 * Step by step over all vectors: one alone would be a single chain of dependent operations. */
static inline __attribute__ ((always_inline)) void vec_exp_each (vec *x, const int count)
{
  enum { BIAS = REAL_EXPONENTS - 1, TERMS = sizeof exp_coefficients / sizeof *exp_coefficients };
  const real lowest = -REAL (0.6931471805599453) * BIAS; /* n = -BIAS: a factor 2^n of 0 */
  /* Adding 1.5*2^(digits - 1) leaves the rounded number in the last bits of the sum. */
  const real shifter = REAL (1.5) / REAL_EPSILON + BIAS;
  vec power[EXP_VECTORS], r2[EXP_VECTORS], even[EXP_VECTORS], odd[EXP_VECTORS];
#define EACH _Pragma ("GCC unroll 8") for (int e = 0; e < count; e++)
  EACH x[e] = vec_max (vec_set1 (lowest), x[e]); /* in this order NaN stays */
  EACH power[e] = vec_fma (x[e], vec_set1 (REAL (1.4426950408889634)), vec_set1 (shifter));
  EACH r2[e] = vec_sub (power[e], vec_set1 (shifter));
  EACH x[e] = vec_fma (r2[e], vec_set1 (-exp_ln2_high), x[e]);
  EACH x[e] = vec_fma (r2[e], vec_set1 (-exp_ln2_low), x[e]);
  EACH r2[e] = vec_mul (x[e], x[e]);

  /* Even and odd powers apart: half as long a chain. */
  EACH even[e] = vec_set1 (exp_coefficients[TERMS - 2 + TERMS % 2]);
  EACH odd[e] = vec_set1 (exp_coefficients[TERMS - 1 - TERMS % 2]);
#pragma GCC unroll 16
  for (int t = TERMS - 3 - TERMS % 2; t >= 1; t -= 2)
    EACH odd[e] = vec_fma (odd[e], r2[e], vec_set1 (exp_coefficients[t]));
#pragma GCC unroll 16
  for (int t = TERMS - 4 + TERMS % 2; t >= 0; t -= 2)
    EACH even[e] = vec_fma (even[e], r2[e], vec_set1 (exp_coefficients[t]));
  EACH even[e] = vec_fma (odd[e], x[e], even[e]);
  EACH x[e] = vec_fma (even[e], r2[e], x[e]);
  EACH power[e] = vec_from_bits (vec_bits (power[e]) << (REAL_DIGITS - 1));
  EACH x[e] = vec_fma (x[e], power[e], power[e]);
#undef EACH
}

static inline vec vec_exp (vec x)
{
  vec_exp_each (&x, 1);
  return x;
}

#endif
