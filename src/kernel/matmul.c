#include "kernel/matmul.h"

#include <limits.h>
#include <string.h>

#include <cblas.h>

#include "base/size.h"
#include "base/threads.h"

enum {
  ROWS = 16,               /* tokens an item takes where the work goes by rows */
  THREADED_WORK = 1 << 20, /* multiply-adds below which starting a thread costs more */
  COLUMNS_MIN = 384,       /* fewer columns an item read the weight in runs that are too short */
  COLUMNS_UNIT = 64        /* whole strips on every instruction set */
};

/* uses_blas -- depends on the shape alone, so that a product gives the same bits every time. */
static bool uses_blas (size_t T, size_t K, size_t n)
{
  return T >= MATMUL_BLAS_TOKENS && T <= INT_MAX && K <= INT_MAX && n <= INT_MAX;
}

/* worthwhile_threads -- a weight is read once whatever T is, which counts as a few tokens. */
static int worthwhile_threads (size_t T, size_t K, size_t n, const attn_run *run)
{
  double work = (double)(T + 3) * (double)K * (double)n;
  return work < THREADED_WORK ? 1 : parallel_threads (run);
}

typedef struct {
  const matmul_linear_job *job;
  const kern_dense *kernels;
  size_t width; /* columns an item */
} linear_work;

/* start_rows -- y = bias, or y += bias. */
static void start_rows (const matmul_linear_job *job, size_t t0, size_t t1, size_t j0, size_t j1)
{
  for (size_t t = t0; t < t1; t++) {
    float *y = job->y + t * job->y_row;
    if (!job->add && job->bias != NULL)
      memcpy (y + j0, job->bias + j0, (j1 - j0) * sizeof *y);
    else if (!job->add)
      memset (y + j0, 0, (j1 - j0) * sizeof *y);
    else if (job->bias != NULL)
      for (size_t j = j0; j < j1; j++)
        y[j] += job->bias[j];
  }
}

static void finish_rows (const matmul_linear_job *job, size_t t0, size_t t1, size_t j0, size_t j1)
{
  if (job->activate != NULL)
    for (size_t t = t0; t < t1; t++)
      job->activate (job->y + t * job->y_row + j0, j1 - j0);
}

static void linear_columns (void *context, size_t item, int thread)
{
  (void)thread;
  const linear_work *work = context;
  const matmul_linear_job *job = work->job;
  size_t j0 = item * work->width, j1 = size_min (j0 + work->width, job->n);
  start_rows (job, 0, job->T, j0, j1);
  work->kernels->linear (job->x, job->x_row, job->w + j0, job->w_row, job->y + j0, job->y_row,
                         job->T, job->K, j1 - j0);
  finish_rows (job, 0, job->T, j0, j1);
}

static void activate_rows (void *context, size_t item, int thread)
{
  (void)thread;
  const linear_work *work = context;
  size_t t0 = item * ROWS;
  finish_rows (work->job, t0, size_min (t0 + ROWS, work->job->T), 0, work->job->n);
}

/* linear_width -- columns an item: two items a thread even out their speed, but short runs of the
 * rows of a weight keep the memory waiting. */
static size_t linear_width (size_t n, int threads)
{
  size_t width = size_ceil_div (n, 2 * (size_t)threads);
  width = size_max (width, size_min (size_ceil_div (n, (size_t)threads), COLUMNS_MIN));
  return size_min (size_ceil_div (width, COLUMNS_UNIT) * COLUMNS_UNIT, KERN_LINEAR_COLUMNS);
}

attn_status matmul_linear (const matmul_linear_job *job, const kern_dense *kernels,
                           const attn_run *run, attn_error *err)
{
  linear_work work = {.job = job, .kernels = kernels};
  int threads = worthwhile_threads (job->T, job->K, job->n, run);
  if (job->T == 0 || job->n == 0)
    return ATTN_OK;
  if (uses_blas (job->T, job->K, job->n)) {
    start_rows (job, 0, job->T, 0, job->n);
    matmul_gemm_f32 (false, false, job->T, job->n, job->K, 1, job->x, job->x_row, job->w,
                     job->w_row, 1, job->y, job->y_row);
    return parallel_for (size_ceil_div (job->T, ROWS), job->activate != NULL ? threads : 1,
                         activate_rows, &work, run, err);
  }
  work.width = linear_width (job->n, threads);
  return parallel_for (size_ceil_div (job->n, work.width), threads, linear_columns, &work, run,
                       err);
}

typedef struct {
  const matmul_project_job *job;
  const kern_dense *kernels;
} project_work;

static void project_rows (void *context, size_t item, int thread)
{
  (void)thread;
  const project_work *work = context;
  const matmul_project_job *job = work->job;
  size_t i0 = item * KERN_PROJECT_ROWS, i1 = size_min (i0 + KERN_PROJECT_ROWS, job->n);
  work->kernels->project (job->x, job->x_row, job->w + i0 * job->K, job->y + i0, job->y_row, job->T,
                          job->K, i1 - i0);
}

static bool asks_to_stop (const attn_run *run)
{
  return run != NULL && run->interrupted != NULL && run->interrupted (run->interrupted_data) != 0;
}

attn_status matmul_project (const matmul_project_job *job, const kern_dense *kernels,
                            const attn_run *run, attn_error *err)
{
  if (job->T == 0 || job->n == 0)
    return ATTN_OK;
  if (uses_blas (job->T, job->K, job->n)) {
    matmul_gemm_f32 (false, true, job->T, job->n, job->K, 1, job->x, job->x_row, job->w, job->K, 0,
                     job->y, job->y_row);
    return asks_to_stop (run) ? attn_fail (err, ATTN_E_INTERRUPTED, "interrupted") : ATTN_OK;
  }
  project_work work = {.job = job, .kernels = kernels};
  return parallel_for (size_ceil_div (job->n, KERN_PROJECT_ROWS),
                       worthwhile_threads (job->T, job->K, job->n, run), project_rows, &work, run,
                       err);
}

static CBLAS_TRANSPOSE transposed (bool transpose)
{
  return transpose ? CblasTrans : CblasNoTrans;
}

void matmul_gemm_f32 (bool transpose_a, bool transpose_b, size_t M, size_t N, size_t K, float alpha,
                      const float *a, size_t lda, const float *b, size_t ldb, float beta, float *c,
                      size_t ldc)
{
  cblas_sgemm (CblasRowMajor, transposed (transpose_a), transposed (transpose_b), (blasint)M,
               (blasint)N, (blasint)K, alpha, a, (blasint)lda, b, (blasint)ldb, beta, c,
               (blasint)ldc);
}

void matmul_gemm_f64 (bool transpose_a, bool transpose_b, size_t M, size_t N, size_t K,
                      double alpha, const double *a, size_t lda, const double *b, size_t ldb,
                      double beta, double *c, size_t ldc)
{
  cblas_dgemm (CblasRowMajor, transposed (transpose_a), transposed (transpose_b), (blasint)M,
               (blasint)N, (blasint)K, alpha, a, (blasint)lda, b, (blasint)ldb, beta, c,
               (blasint)ldc);
}
