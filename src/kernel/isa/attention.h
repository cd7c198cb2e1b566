/* What the files of this folder provide for kern_attention; documented there. */
#ifndef KERNEL_ISA_ATTENTION_H
#define KERNEL_ISA_ATTENTION_H

#include "kernel/isa/simd.h"
#include "kernel/kern.h"

enum { LANES = TILE_VECTORS * VEC_LANES };

/* The score of a key whose mask times log2 (e) is below the range: the number above -REAL_MAX.  It
 * weighs nothing beside other scores; where it is the largest of a row, the reference has to tell
 * these keys apart. */
static const real kern_beyond = -REAL_MAX * (1 - REAL_EPSILON / 2);

/* fetch_ahead -- asks for the cache lines of the BYTES that lie DISTANCE bytes after FROM, which
 * need not exist. */
static inline void fetch_ahead (const void *from, size_t distance, size_t bytes)
{
  enum { LINE = 64 };
  const uintptr_t at = (uintptr_t)from + distance;
  for (size_t byte = 0; byte < bytes; byte += LINE)
    __builtin_prefetch ((const void *)(at + byte));
  __builtin_prefetch ((const void *)(at + bytes - 1));
}

void KERN_NAME (pack) (void *packed, const void *in, size_t t_stride, size_t r_stride, size_t T,
                       size_t R);
double KERN_NAME (pack_queries) (void *q, kern_matrix in, size_t rows, size_t d, double scale);
double KERN_NAME (largest) (const void *x, size_t n);
kern_visibility KERN_NAME (mask) (const kern_page *p, size_t i0, size_t rows, size_t j0, size_t j1,
                                  void *bias);
kern_visibility KERN_NAME (hide) (const kern_range *range, size_t rows, size_t j0, size_t j1,
                                  void *bias);
void KERN_NAME (scores) (const void *q, const void *k, size_t d, size_t keys, const void *bias,
                         kern_range plain, void *strip, void *max);
void KERN_NAME (exponentials) (void *strip, size_t keys, const void *old_max, const void *max,
                               void *factor, void *sum);
void KERN_NAME (average) (const void *strip, size_t keys, const void *v, size_t Nk, size_t j0,
                          size_t dv, const void *factor, void *out);
void KERN_NAME (check) (const void *sum, const void *max, size_t rows, unsigned char *failed);
void KERN_NAME (finish) (const void *out, const void *sum, size_t rows, size_t dv, kern_matrix y,
                         unsigned char *failed);
void KERN_NAME (finish_weights) (const void *strip, size_t keys, const void *block_max,
                                 const void *max, const void *sum, size_t rows, kern_matrix w);
void KERN_NAME (clear_weights) (kern_matrix w, size_t rows, size_t keys);
bool KERN_NAME (row) (const kern_page *p, size_t i, kern_range range, void *scratch);
void KERN_NAME (start) (void *max, void *sum, void *out, size_t dv);

#endif
