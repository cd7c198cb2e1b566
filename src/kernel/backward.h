/* Gradients of attention, one query row at a time in plain C: the definition of what is right. */
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

#endif
