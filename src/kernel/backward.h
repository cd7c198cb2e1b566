/* Gradients of attention: the plain C row, and what the panels of kernel/kern.h need besides. */
#ifndef KERNEL_BACKWARD_H
#define KERNEL_BACKWARD_H

#include "kernel/kern.h"

/* Sums of one key/value page while its query rows are worked through. */
typedef struct {
  double *dk;      /* Nk-by-d, row-major, to be cleared before the first row */
  double *dv;      /* Nk-by-dv, row-major */
  double *scratch; /* kern_backward_row_scratch (p) doubles */
} kern_backward_sums;

/* kern_backward_row -- dQ(i,:) into DQ (absent = not wanted), and the share of row I in the sums of
 * dK and dV, for keys LO to HI - 1 minus those that the mask hides; DY is the gradient by Y.
 *   dS = W(i,:) .* (dY(i,:)*V' - dY(i,:)*Y(i,:)'),  dQ(i,:) = scale*dS*K,
 *   dK += scale*dS'*Q(i,:),  dV += W(i,:)'*dY(i,:). */
void kern_backward_row (const kern_page *p, const kern_matrix *dy, const kern_matrix *dq, size_t i,
                        size_t lo, size_t hi, const kern_backward_sums *sums);
size_t kern_backward_row_scratch (const kern_page *p);

/* Besides kern_attention, for one panel: arrays with the lanes innermost as there, and
 *   strip    keys-by-lanes  exp (score - max), then W
 *   product  keys-by-lanes  dY*V', then scale*dS
 *   rows     width/lanes groups of lanes-by-lanes: rows of Q or dY, lane after lane, zeros behind
 *   sums     keys-by-width, row-major; width is d or dv rounded up to whole `lanes`. */
typedef struct {
  /* pack_rows -- the group after group form of ROWS <= lanes rows of IN with WIDTH columns; failed
   * rows become 0. */
  void (*pack_rows) (void *packed, kern_matrix in, size_t rows, size_t width,
                     const unsigned char *failed);

  /* differences -- W = strip/sum and dS = W .* (product - D), D = sum over the keys of W .*
   * product, both in place and dS times SCALE.  failed[r] is set where sum or D is not a number to
   * trust: NaN, infinite, or a sum of 0. */
  void (*differences) (void *strip, void *product, size_t keys, const void *sum, double scale,
                       unsigned char *failed);

  /* drop -- sets the lanes of failed rows to 0. */
  void (*drop) (void *strip, size_t keys, const unsigned char *failed);

  /* scatter -- sums += strip * rows, for KEYS keys. */
  void (*scatter) (const void *strip, size_t keys, const void *rows, size_t width, void *sums);

  /* add -- sums += more, N numbers. */
  void (*add) (void *sums, const void *more, size_t n);

  /* store -- m = sums for ROWS keys of COLUMNS columns. */
  void (*store) (const void *sums, size_t rows, size_t columns, size_t width, kern_matrix m);
} kern_backward;

/* kern_backward_table -- NULL where kern_attention_table is. */
const kern_backward *kern_backward_table (kern_isa isa, attn_type type);

#endif
