/* What the files of this folder provide for kern_dense; documented there. */
#ifndef KERNEL_ISA_DENSE_H
#define KERNEL_ISA_DENSE_H

#include "kernel/dense.h"
#include "kernel/isa/simd.h"

void KERN_NAME (linear) (const void *x, size_t x_row, const void *w, size_t w_row, void *y,
                         size_t y_row, size_t T, size_t K, size_t n);
void KERN_NAME (project) (const void *x, size_t x_row, const void *w, void *y, size_t y_row,
                          size_t T, size_t K, size_t n);
void KERN_NAME (norm) (const void *x, const void *weight, const void *bias, double epsilon, void *y,
                       size_t C);
void KERN_NAME (gelu_tanh) (void *x, size_t n);

extern const kern_dense KERN_NAME (dense);

#endif
