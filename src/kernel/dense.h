/* Kernels of dense layers: what a transformer block does besides attention.
 *
 * All matrices are row-major, a row is a token.  The files behind the table are compiled once for
 * each instruction set and element type; pointers are to that type. */
#ifndef KERNEL_DENSE_H
#define KERNEL_DENSE_H

#include <stddef.h>

#include "attn/attention.h"
#include "kernel/kern.h"

enum {
  KERN_LINEAR_COLUMNS =
      1024,                /* `linear` is fastest with this many columns or a few parts of them */
  KERN_LINEAR_TOKENS = 48, /* and takes this many tokens at a time */
  KERN_PROJECT_ROWS = 256  /* rows of a transposed weight that a thread takes at a time */
};

typedef struct {
  /* linear -- y += x*w for T tokens, K inputs and n outputs; x is T-by-K, w K-by-n, y T-by-n, each
   * with its own distance between rows.  Every element of y is one chain of multiply-adds in the
   * order of k, so its bits depend neither on T nor on how the columns are split over calls. */
  void (*linear) (const void *x, size_t x_row, const void *w, size_t w_row, void *y, size_t y_row,
                  size_t T, size_t K, size_t n);

  /* project -- y = x*w' for T tokens; x is T-by-K, w n-by-K without gaps, y T-by-n.  The bits of an
   * element depend neither on T nor on n. */
  void (*project) (const void *x, size_t x_row, const void *w, void *y, size_t y_row, size_t T,
                   size_t K, size_t n);

  /* norm -- y = (x - mean (x))/sqrt (variance (x) + epsilon)*weight + bias over C channels of one
   * token; y may be x. */
  void (*norm) (const void *x, const void *weight, const void *bias, double epsilon, void *y,
                size_t C);

  /* gelu_tanh -- x = 0.5*x*(1 + tanh (sqrt(2/pi)*(x + 0.044715*x^3))) for n numbers. */
  void (*gelu_tanh) (void *x, size_t n);
} kern_dense;

/* kern_dense_table -- never NULL; an instruction set that this build does not have gives the
 * generic one. */
const kern_dense *kern_dense_table (kern_isa isa, attn_type type);

#endif
