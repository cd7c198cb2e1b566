/* Register tiles of products: acc(column, lane) = sum over t of a(t, lane) * b(t, column). */
#ifndef KERNEL_ISA_PRODUCT_H
#define KERNEL_ISA_PRODUCT_H

#include "kernel/isa/simd.h"

/* Terms in one turn of a loop: with one, fetching its instructions takes as long as multiplying. */
enum { PRODUCT_STEPS = 4 };

typedef vec product_tile[TILE_COLUMNS][TILE_VECTORS];

/* product_step -- one term for VECTORS vectors of lanes that lie at A, and WIDTH columns that lie
 * b_stride apart at B.  These two are constants in every call, so that acc stays in registers. */
INLINE void product_step (product_tile acc, const real *a, const real *b, size_t b_stride,
                          const int width, const int vectors)
{
  vec x[TILE_VECTORS];
#pragma GCC unroll 4
  for (int r = 0; r < vectors; r++)
    x[r] = vec_load (a + r * VEC_LANES);
#pragma GCC unroll 16
  for (int c = 0; c < width; c++) {
    vec y = vec_set1 (b[(size_t)c * b_stride]);
#pragma GCC unroll 4
    for (int r = 0; r < vectors; r++)
      vec_accumulate (&acc[c][r], x[r], y);
  }
}

#endif
