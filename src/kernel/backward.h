/* Gradients of attention: the plain C row, and what the panels of kernel/kern.h need besides. */
#ifndef KERNEL_BACKWARD_H
#define KERNEL_BACKWARD_H

#include "kernel/kern.h"

/* Sums of one key/value page while its query rows are worked through. */
typedef struct {
  double *dk;      /* Nk-by-d, row-major, to be cleared before the first row; NULL = not wanted */
  double *dv;      /* Nk-by-dv, row-major; NULL = not wanted */
  double *scratch; /* kern_backward_row_scratch (p) doubles */
} kern_backward_sums;

/* kern_backward_row -- dQ(i,:) into DQ (absent = not wanted), and the share of row I in the sums of
 * dK and dV, for keys LO to HI - 1 minus those that the mask hides; DY is the gradient by Y.
 *   dS = W(i,:) .* (dY(i,:)*V' - dY(i,:)*Y(i,:)'),  dQ(i,:) = scale*dS*K,
 *   dK += scale*dS'*Q(i,:),  dV += W(i,:)'*dY(i,:). */
void kern_backward_row (const kern_page *p, const kern_matrix *dy, const kern_matrix *dq, size_t i,
                        size_t lo, size_t hi, const kern_backward_sums *sums);
size_t kern_backward_row_scratch (const kern_page *p);

/* The part of one panel in a sum over panels; see below. */
typedef struct {
  const void *strip, *rows;
} kern_backward_share;

/* Besides kern_attention, for panels of queries and blocks of keys: arrays with the lanes innermost
 * as there,
 * - strip: keys-by-lanes, 2^(score - max so far), then W;
 * - product: keys-by-lanes, dY*V', then scale*dS;
 * and with the columns innermost
 * - rows: groups of `lanes` columns of Q or dY, lane after lane;
 * - sums: groups of `lanes` columns of dK or dV, key after key.
 * The columns of `rows` and `sums` are d or dv rounded up to a width that is a multiple of
 * `vector`, with zeros behind; so the last group can be narrower. */
typedef struct {
  size_t vector; /* lanes is a multiple */

  /* weigh -- mean = mean*factor + sum over the keys of strip .* product. */
  void (*weigh) (const void *strip, const void *product, size_t keys, const void *factor,
                 void *mean);

  /* judge -- mean = mean/sum, which is then D = sum over the keys of W .* (dY*V'); sets failed[r]
   * where it is NaN or infinite. */
  void (*judge) (const void *sum, void *mean, unsigned char *failed);

  /* differences -- W = strip * 2^(block_max - max) / sum and scale*dS = scale * W .* (product -
   * D), both in place; 0 in failed lanes. */
  void (*differences) (void *strip, void *product, size_t keys, const void *block_max,
                       const void *max, const void *sum, const void *mean, double scale,
                       const unsigned char *failed);

  /* pack_rows -- the `rows` form of ROWS <= lanes rows of IN with COLUMNS columns; failed and
   * missing rows become 0. */
  void (*pack_rows) (void *packed, kern_matrix in, size_t rows, size_t columns,
                     const unsigned char *failed);

  /* scatter -- sums += strip * rows of COUNT panels, for keys J0 to J0 + KEYS - 1. */
  void (*scatter) (const kern_backward_share *shares, size_t count, size_t keys, size_t width,
                   size_t Nk, size_t j0, void *sums);

  /* add -- sums += more, N numbers. */
  void (*add) (void *sums, const void *more, size_t n);

  /* store -- m = sums, Nk-by-COLUMNS. */
  void (*store) (const void *sums, size_t Nk, size_t columns, size_t width, kern_matrix m);
} kern_backward;

/* kern_backward_table -- NULL where kern_attention_table is. */
const kern_backward *kern_backward_table (kern_isa isa, attn_type type);

#endif
