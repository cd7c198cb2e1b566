/* Matrix products of dense layers, float32 and row-major: own kernels for few tokens, OpenBLAS for
 * many.  The number of OpenBLAS's threads is left as it is.
 *
 * For one T, changing a row of x changes that row of y only, bit for bit; and each product gives
 * the same bits for every number of threads. */
#ifndef KERNEL_MATMUL_H
#define KERNEL_MATMUL_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/status.h"
#include "kernel/dense.h"

enum { MATMUL_BLAS_TOKENS = 48 }; /* from here OpenBLAS is faster than the kernels (measured) */

/* y = activate (x*w + bias), or y += x*w + bias. */
typedef struct {
  size_t T, K, n;    /* tokens, inputs, outputs */
  const float *x;    /* T-by-K, rows x_row apart */
  const float *w;    /* K-by-n, rows w_row apart */
  const float *bias; /* n, or NULL = 0 */
  float *y;          /* T-by-n, rows y_row apart; not overlapping the others */
  size_t x_row, w_row, y_row;
  bool add;                             /* to what y holds */
  void (*activate) (void *x, size_t n); /* NULL = nothing; applied to n numbers in place */
} matmul_linear_job;

/* matmul_linear -- errors: ATTN_E_INTERRUPTED; y is unspecified then. */
attn_status matmul_linear (const matmul_linear_job *job, const kern_dense *kernels,
                           const attn_run *run, attn_error *err);

/* y = x*w'. */
typedef struct {
  size_t T, K, n;
  const float *x; /* T-by-K, rows x_row apart */
  const float *w; /* n-by-K without gaps */
  float *y;       /* T-by-n, rows y_row apart; not overlapping the others */
  size_t x_row, y_row;
} matmul_project_job;

/* matmul_project -- errors: ATTN_E_INTERRUPTED; y is unspecified then. */
attn_status matmul_project (const matmul_project_job *job, const kern_dense *kernels,
                            const attn_run *run, attn_error *err);

/* matmul_gemm_f32, _f64 -- c = alpha*op (a)*op (b) + beta*c, row-major, by OpenBLAS: op (a) M-by-K,
 * op (b) K-by-N, op = transpose where asked for; lda, ldb, ldc are distances between rows as
 * stored. c is not read when beta is 0.  Sizes are at most INT_MAX. */
void matmul_gemm_f32 (bool transpose_a, bool transpose_b, size_t M, size_t N, size_t K, float alpha,
                      const float *a, size_t lda, const float *b, size_t ldb, float beta, float *c,
                      size_t ldc);
void matmul_gemm_f64 (bool transpose_a, bool transpose_b, size_t M, size_t N, size_t K,
                      double alpha, const double *a, size_t lda, const double *b, size_t ldb,
                      double beta, double *c, size_t ldc);

#endif
