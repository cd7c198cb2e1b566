/* Kernels of training: gradients of what kernel/dense.h computes, the loss, the optimiser.
 *
 * Row-major, a row is a token; the files behind the table are compiled once for each instruction
 * set and element type, and pointers are to that type.  One thread each; sums run in a fixed order.
 */
#ifndef KERNEL_TRAIN_H
#define KERNEL_TRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kern.h"

/* Constants of one AdamW update. */
typedef struct {
  double clip;                     /* factor of the gradient */
  double beta1, beta2;             /* of the moments */
  double correction1, correction2; /* 1 - beta^step */
  double epsilon, rate, decay;
} kern_adamw_step;

typedef struct {
  /* add_rows -- sum (width) += each of `rows` rows, in order. */
  void (*add_rows) (void *sum, const void *x, size_t rows, size_t width);

  /* norm_backward -- for `rows` rows of C channels, with n = (x - mean (x))*inverse, inverse =
   * 1/sqrt (variance (x) + epsilon), g = dout .* weight:
   *   dx += inverse*(g - mean (g) - n*mean (g .* n)),  dweight += dout .* n,  dbias += dout. */
  void (*norm_backward) (void *dx, void *dweight, void *dbias, const void *dout, const void *x,
                         const void *weight, double epsilon, size_t rows, size_t C);

  /* gelu_tanh_backward -- dx = dout .* gelu'(x) for n numbers; dx may be dout. */
  void (*gelu_tanh_backward) (void *dx, const void *dout, const void *x, size_t n);

  /* cross_entropy -- for each of `rows` rows of V logits: losses[r] = log (sum (exp (row))) -
   * row[target], and, when `factor` is not 0, row = factor*(softmax (row) - onehot (target)).
   * A target of -1 gives a loss and a row of zeros. */
  void (*cross_entropy) (void *logits, const int32_t *targets, double *losses, size_t rows,
                         size_t V, double factor);

  /* adamw -- m = beta1*m + (1 - beta1)*g,  v = beta2*v + (1 - beta2)*g.^2,
   *   w = w - rate*(m/correction1 ./ (sqrt (v/correction2) + epsilon) + decay*w)
   * for n weights, with g = clip * the gradient. */
  void (*adamw) (void *w, void *m, void *v, const void *gradient, size_t n,
                 const kern_adamw_step *step);
} kern_train;

/* kern_train_table -- never NULL; KERN_REFERENCE and what this build does not have give the generic
 * one (the definition of these gradients is their test, by differences and in long double). */
const kern_train *kern_train_table (kern_isa isa, attn_type type);

#endif
