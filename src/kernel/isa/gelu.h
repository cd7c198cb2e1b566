/* GELU in its tanh form, and its derivative.
 *
 * With u = sqrt(2/pi)*(x + 0.044715*x^3), 0.5*(1 + tanh (u)) is the logistic function of 2u, here
 * called the gate: gelu (x) = x*gate (Hendrycks and Gimpel 2016). */
#ifndef KERNEL_ISA_GELU_H
#define KERNEL_ISA_GELU_H

#include "kernel/isa/exp.h"

#define GELU_TWO_U REAL (1.5957691216057308) /* 2*sqrt(2/pi) */
#define GELU_CUBIC REAL (0.044715)

/* gelu_gate -- 1/(1 + exp (-2u)), as exp (2u)/(1 + exp (2u)) for u < 0: the exponential never
 * overflows and nothing cancels. */
static inline vec gelu_gate (vec x)
{
  vec x2 = vec_mul (x, x);
  vec two_u = vec_mul (vec_mul (x, vec_set1 (GELU_TWO_U)),
                       vec_fma (x2, vec_set1 (GELU_CUBIC), vec_set1 (1)));
  vec minus = vec_sub (vec_zero (), two_u);
  vec e = vec_exp (vec_select_lt (two_u, minus, two_u, minus));
  vec part = vec_select_lt (two_u, vec_zero (), e, vec_set1 (1));
  return part / vec_add (vec_set1 (1), e);
}

static inline vec gelu (vec x)
{
  return vec_mul (x, gelu_gate (x));
}

/* gelu_slope -- gate + x*gate*(1 - gate)*d(2u)/dx. */
static inline vec gelu_slope (vec x)
{
  vec gate = gelu_gate (x), x2 = vec_mul (x, x);
  vec inner =
      vec_mul (vec_set1 (GELU_TWO_U), vec_fma (x2, vec_set1 (3 * GELU_CUBIC), vec_set1 (1)));
  vec both = vec_mul (gate, vec_sub (vec_set1 (1), gate));
  return vec_fma (vec_mul (x, both), inner, gate);
}

#endif
