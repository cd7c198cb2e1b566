/* exp and 2^x of vectors of numbers that are not above 0. */
#ifndef KERNEL_ISA_EXP_H
#define KERNEL_ISA_EXP_H

#include "kernel/isa/simd.h"

/* Coefficients of r, r^2, ... of the polynomials 1 + ... that have the smallest largest relative
 * error (Remez's exchange) against exp (r) for |r| <= log (2)/2, which is 3.1e-9 and 3.3e-17, and
 * against 2^r for |r| <= 1/2, which is 2.0e-9 and 3.4e-18. */
#if defined(KERN_REAL_F32)
static const real exp_coefficients[] = {1,
                                        0.49999993432129290f,
                                        0.16666520399042530f,
                                        0.041668390783547914f,
                                        0.0083687451089425907f,
                                        0.0013814540176801306f};
static const real exp2_coefficients[] = {0.69314720285501290f,   0.24022647913615112f,
                                         0.055503324712230325f,  0.0096184373605259496f,
                                         0.0013398874384950255f, 0.00015353360994894461f};
/* The upper part of log (2) has so many trailing zeros that its product with n is exact. */
static const real exp_ln2_high = 0x1.62e4p-1f, exp_ln2_low = 0x1.7f7d1cp-20f;
#else
static const real exp_coefficients[] = {1,
                                        0.50000000000000037309,
                                        0.16666666666667175562,
                                        0.04166666666659511368,
                                        0.0083333333329205520737,
                                        0.0013888888926287986756,
                                        0.00019841270882911332774,
                                        0.000024801510287263525623,
                                        2.7556284326812015191e-6,
                                        2.7624551203869782112e-7,
                                        2.5424684053140585058e-8};
static const real exp2_coefficients[] = {
    0.69314718055994532580,     0.24022650695910131260,   0.055504108664820083263,
    0.0096181291075941201828,   0.0013333558146774611710, 0.00015403530457111961461,
    0.000015252733493135923434, 1.3215435282376560337e-6, 1.0178199568393278060e-7,
    7.0737832365227605636e-9,   4.4347718050868853999e-10};
static const real exp_ln2_high = 0x1.62e42fefa3800p-1, exp_ln2_low = 0x1.ef35793c76730p-45;
#endif

enum {
  EXP_VECTORS = 4, /* at most at once; the registers hold no more */
  EXP_TERMS = sizeof exp_coefficients / sizeof *exp_coefficients,
  EXP_BIAS = REAL_EXPONENTS - 1
};
_Static_assert(sizeof exp2_coefficients == sizeof exp_coefficients, "one loop for both");

/* Adding 1.5*2^(digits - 1) leaves the rounded number in the last bits of the sum; and the bias of
 * the exponent, n + EXP_BIAS, the exponent of 2^n. */
static const real exp_shifter = REAL (1.5) / REAL_EPSILON + EXP_BIAS;

/* Step by step over all vectors, since one alone is a single chain of dependent operations. */
#define EXP_EACH _Pragma ("GCC unroll 8") for (int e = 0; e < count; e++)

/* exp_finish -- x = 2^n * (1 + polynomial (x)), where `power` is n + exp_shifter.  By Horner's
 * rule, which needs no more registers than there are. */
INLINE void exp_finish (vec *x, vec *power, const real *coefficients, const int count)
{
  vec sum[EXP_VECTORS];
  EXP_EACH sum[e] = vec_set1 (coefficients[EXP_TERMS - 1]);
#pragma GCC unroll 16
  for (int t = EXP_TERMS - 2; t >= 0; t--)
    EXP_EACH sum[e] = vec_fma (sum[e], x[e], vec_set1 (coefficients[t]));
  EXP_EACH power[e] = vec_from_bits (vec_bits (power[e]) << (REAL_DIGITS - 1));
  EXP_EACH x[e] = vec_mul (x[e], power[e]);
  EXP_EACH x[e] = vec_fma (x[e], sum[e], power[e]);
}

/* vec_exp_each -- exp (x) for each of COUNT vectors x <= 0, within 2 ulp; exactly 0 from -87.7
 * ("single") and -708.7 down, where the result leaves the normal range; NaN stays NaN.
 * exp (x) = 2^n * exp (r) with n = round (x/log (2)) and r = x - n*log (2). */
INLINE void vec_exp_each (vec *x, const int count)
{
  const real lowest = -REAL (0.6931471805599453) * EXP_BIAS; /* n = -EXP_BIAS: a factor 2^n of 0 */
  vec power[EXP_VECTORS], n[EXP_VECTORS];
  EXP_EACH x[e] = vec_max (vec_set1 (lowest), x[e]); /* in this order NaN stays */
  EXP_EACH power[e] = vec_fma (x[e], vec_set1 (REAL (1.4426950408889634)), vec_set1 (exp_shifter));
  EXP_EACH n[e] = vec_sub (power[e], vec_set1 (exp_shifter));
  EXP_EACH x[e] = vec_fma (n[e], vec_set1 (-exp_ln2_high), x[e]);
  EXP_EACH x[e] = vec_fma (n[e], vec_set1 (-exp_ln2_low), x[e]);
  exp_finish (x, power, exp_coefficients, count);
}

/* vec_exp2_each -- 2^x in the same way, in fewer operations: r = x - n is exact.  Exactly 0 from
 * -126.6 ("single") and -1022.6 down. */
INLINE void vec_exp2_each (vec *x, const int count)
{
  vec power[EXP_VECTORS];
  EXP_EACH x[e] = vec_max (vec_set1 (-(real)EXP_BIAS), x[e]);
  EXP_EACH power[e] = vec_add (x[e], vec_set1 (exp_shifter));
  EXP_EACH x[e] = vec_sub (x[e], vec_sub (power[e], vec_set1 (exp_shifter)));
  exp_finish (x, power, exp2_coefficients, count);
}

static inline vec vec_exp (vec x)
{
  vec_exp_each (&x, 1);
  return x;
}

static inline vec vec_exp2 (vec x)
{
  vec_exp2_each (&x, 1);
  return x;
}

#endif
