/* Dense kernels and products: every instruction set against plain C in double precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernel/matmul.h"
#include "support/isas.h"
#include "support/pass.h"

static const kern_dense *table (void)
{
  return kern_dense_table (kern_isa_choose (), ATTN_F32);
}

static float uniform (uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) * 0x1p-23f - 1;
}

static float *random_numbers (size_t n, uint32_t seed)
{
  float *numbers = malloc ((n > 0 ? n : 1) * sizeof *numbers);
  for (size_t i = 0; i < n; i++)
    numbers[i] = uniform (&seed);
  return numbers;
}

/* sum_tolerance -- a chain of K float additions of numbers in [-1, 1] loses at most K*eps/2 of the
 * sum of magnitudes, about K/4; rounding errors of random sign lose about sqrt (K) of it.  The
 * results are about sqrt (K)/3, so 4*sqrt (K)*eps of the largest is roomy and still finds any
 * product that is missing or doubled. */
static double sum_tolerance (size_t K)
{
  return 4 * sqrt ((double)K + 1) * 0x1p-23;
}

/* ---- y = activate (x*w + bias) ---- */

typedef struct {
  size_t T, K, n;
} shape;

static const shape shapes[] = {
    {1, 1, 1},    {1, 64, 300},  {2, 65, 16},   {3, 7, 33},    {4, 130, 257}, {5, 3, 8},
    {6, 63, 15},  {7, 128, 64},  {12, 96, 288}, {13, 200, 31}, {24, 64, 512}, {47, 129, 70},
    {48, 40, 90}, {61, 300, 55}, {1, 0, 5},     {9, 0, 40},    {0, 4, 4}};

static void square (void *x, size_t n)
{
  float *value = x;
  for (size_t i = 0; i < n; i++)
    value[i] *= value[i];
}

/* check_linear -- with rows that lie apart, and both ways of starting. */
static void check_linear (shape s, bool add, bool biased, bool squared)
{
  const size_t x_row = s.K + 3, w_row = s.n + 5, y_row = s.n + 2;
  float *x = random_numbers (s.T * x_row, 1), *w = random_numbers (s.K * w_row, 2);
  float *bias = random_numbers (s.n, 3), *y = random_numbers (s.T * y_row, 4);
  float *before = random_numbers (s.T * y_row, 4), *got = random_numbers (s.T * s.n, 5);
  double *expected = malloc (s.T * s.n * sizeof *expected + 1);
  for (size_t t = 0; t < s.T; t++)
    for (size_t j = 0; j < s.n; j++) {
      double sum = add ? (double)y[t * y_row + j] : 0;
      if (biased)
        sum += (double)bias[j];
      for (size_t k = 0; k < s.K; k++)
        sum += (double)x[t * x_row + k] * (double)w[k * w_row + j];
      expected[t * s.n + j] = squared ? sum * sum : sum;
    }
  matmul_linear_job job = {s.T, s.K,   s.n,   x,     w,   biased ? bias : NULL,
                           y,   x_row, w_row, y_row, add, squared ? square : NULL};
  assert_int_equal (matmul_linear (&job, table (), NULL, NULL), ATTN_OK);
  for (size_t t = 0; t < s.T; t++) {
    memcpy (got + t * s.n, y + t * y_row, s.n * sizeof *got);
    assert_same (y + t * y_row + s.n, before + t * y_row + s.n, y_row - s.n);
  }
  assert_close (got, expected, s.T * s.n, 2 * sum_tolerance (s.K));
  free (x);
  free (w);
  free (bias);
  free (y);
  free (before);
  free (got);
  free (expected);
}

static void check_linear_shapes (void *context)
{
  (void)context;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int way = 0; way < 8; way++)
      check_linear (shapes[i], way & 1, way & 2, way & 4);
}

static void linear (void **state)
{
  (void)state;
  each_isa (check_linear_shapes, NULL);
}

/* check_linear_bits -- an element keeps its bits when there are fewer tokens or columns; the kernel
 * itself takes any number of both. */
static void check_linear_bits (void *context)
{
  (void)context;
  enum { T = 100, K = 75, N = 1100 };
  float *x = random_numbers (T * K, 1), *w = random_numbers (K * N, 2);
  float *all = calloc (T * N, sizeof *all), *part = random_numbers (T * N, 4);
  table ()->linear (x, K, w, N, all, N, T, K, N);
  matmul_linear_job job = {.K = K, .x = x, .w = w, .y = part};
  job.x_row = K;
  job.w_row = job.y_row = N;
  static const size_t tokens[] = {1, 2, 5, 8, 11, 47}, columns[] = {N, 1024, 1023, 64, 7};
  for (size_t a = 0; a < sizeof tokens / sizeof *tokens; a++)
    for (size_t b = 0; b < sizeof columns / sizeof *columns; b++) {
      job.T = tokens[a];
      job.n = columns[b];
      assert_int_equal (matmul_linear (&job, table (), NULL, NULL), ATTN_OK);
      for (size_t t = 0; t < job.T; t++)
        assert_same (part + t * N, all + t * N, job.n);
    }
  free (x);
  free (w);
  free (all);
  free (part);
}

static void linear_bits (void **state)
{
  (void)state;
  each_isa (check_linear_bits, NULL);
}

/* ---- y = x*w' ---- */

static void check_project_shapes (void *context)
{
  (void)context;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    shape s = shapes[i];
    const size_t x_row = s.K + 1, y_row = s.n + 3;
    float *x = random_numbers (s.T * x_row, 1), *w = random_numbers (s.n * s.K, 2);
    float *y = random_numbers (s.T * y_row, 3), *one = random_numbers (s.n, 4);
    double *expected = malloc (s.n * sizeof *expected);
    matmul_project_job job = {s.T, s.K, s.n, x, w, y, x_row, y_row};
    assert_int_equal (matmul_project (&job, table (), NULL, NULL), ATTN_OK);
    for (size_t t = 0; t < s.T; t++) {
      for (size_t j = 0; j < s.n; j++) {
        expected[j] = 0;
        for (size_t k = 0; k < s.K; k++)
          expected[j] += (double)x[t * x_row + k] * (double)w[j * s.K + k];
      }
      assert_close (y + t * y_row, expected, s.n, 4 * sum_tolerance (s.K));
      if (s.T >= MATMUL_BLAS_TOKENS)
        continue;
      job.T = 1;
      job.x = x + t * x_row;
      job.y = one;
      assert_int_equal (matmul_project (&job, table (), NULL, NULL), ATTN_OK);
      assert_same (one, y + t * y_row, s.n);
    }
    free (x);
    free (w);
    free (y);
    free (one);
    free (expected);
  }
}

static void project (void **state)
{
  (void)state;
  each_isa (check_project_shapes, NULL);
}

/* check_nan -- a token that is not a number spoils its own row only. */
static void check_nan (void *context)
{
  (void)context;
  enum { K = 70, N = 90 };
  static const size_t lengths[] = {3, 14, 52};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t T = lengths[i];
    float *x = random_numbers (T * K, 1), *w = random_numbers (K * N, 2);
    float *y = random_numbers (T * N, 3);
    for (size_t k = 0; k < K; k++)
      x[K + k] = k % 2 ? NAN : INFINITY;
    matmul_linear_job job = {.T = T, .K = K, .n = N, .x = x, .w = w, .y = y};
    job.x_row = K;
    job.w_row = job.y_row = N;
    matmul_project_job transposed = {T, K, N, x, w, y, K, N};
    for (int way = 0; way < 2; way++) {
      assert_int_equal (way ? matmul_linear (&job, table (), NULL, NULL)
                            : matmul_project (&transposed, table (), NULL, NULL),
                        ATTN_OK);
      for (size_t e = 0; e < T * N; e++)
        assert_int_equal (isnan (y[e]) != 0, e / N == 1);
    }
    free (x);
    free (w);
    free (y);
  }
}

static void nan_stays_in_its_row (void **state)
{
  (void)state;
  each_isa (check_nan, NULL);
}

/* ---- layer norm ---- */

static void check_norm (void *context)
{
  (void)context;
  static const size_t widths[] = {1, 3, 8, 24, 47, 768};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    size_t C = widths[i];
    float *x = random_numbers (C, 1), *weight = random_numbers (C, 2),
          *bias = random_numbers (C, 3);
    double *expected = malloc (C * sizeof *expected), mean = 0, variance = 0;
    for (size_t c = 0; c < C; c++)
      x[c] += 3; /* the mean is to matter */
    for (size_t c = 0; c < C; c++)
      mean += (double)x[c] / (double)C;
    for (size_t c = 0; c < C; c++)
      variance += ((double)x[c] - mean) * ((double)x[c] - mean) / (double)C;
    for (size_t c = 0; c < C; c++)
      expected[c] =
          ((double)x[c] - mean) / sqrt (variance + 1e-5) * (double)weight[c] + (double)bias[c];
    /* A mean of about 3 is right to a few times 3*eps, which is then divided by a deviation that
     * may be as small as 0.2; results are about 0.5. */
    float *y = malloc (C * sizeof *y);
    table ()->norm (x, weight, bias, 1e-5, y, C);
    assert_close (y, expected, C, C > 1 ? 100 * 0x1p-23 : 1e-3);
    table ()->norm (x, weight, bias, 1e-5, x, C); /* in place */
    assert_same (x, y, C);
    free (x);
    free (weight);
    free (bias);
    free (y);
    free (expected);
  }
}

static void norm (void **state)
{
  (void)state;
  each_isa (check_norm, NULL);
}

/* ---- GELU ---- */

/* check_gelu -- relative error where x > -4, absolute below, where the result nears 0.  The
 * argument of exp, up to 2*3.2 there, carries a few eps/2 of itself, the rest of the formula three
 * roundings. */
static void check_gelu (void *context)
{
  (void)context;
  enum { N = 40001 };
  float *x = malloc (N * sizeof *x), *y = malloc (N * sizeof *y);
  for (size_t i = 0; i < N; i++)
    x[i] = y[i] = (float)i * 0.0005f - 10;
  table ()->gelu_tanh (y, N);
  for (size_t i = 0; i < N; i++) {
    double v = (double)x[i], u = sqrt (2 / acos (-1)) * (v + 0.044715 * v * v * v);
    double expected = v * (u < 0 ? exp (2 * u) / (1 + exp (2 * u)) : 1 / (1 + exp (-2 * u)));
    double allowed = v > -4 ? 12 * 0x1p-23 * fabs (expected) : 1e-9;
    assert_true (fabs ((double)y[i] - expected) <= allowed);
  }
  float special[] = {1, -2, 2.5f, 0, -0.0f, INFINITY, 1e30f, -1e30f, NAN};
  table ()->gelu_tanh (special, sizeof special / sizeof *special);
  assert_true (fabsf (special[0] - .8411919906f) <= 1e-7f);
  assert_true (fabsf (special[1] - -.0454023059f) <= 1e-8f);
  assert_true (fabsf (special[2] - 2.4849157339f) <= 3e-7f);
  assert_true (special[3] == 0 && special[4] == 0);
  assert_true (isinf (special[5]) && special[6] == 1e30f && special[7] == 0 && isnan (special[8]));
  free (x);
  free (y);
}

static void gelu (void **state)
{
  (void)state;
  each_isa (check_gelu, NULL);
}

/* ---- OpenBLAS ---- */

/* gemm -- op (a)*op (b) for the four ways to transpose, both types, against plain loops. */
static void gemm (void **state)
{
  (void)state;
  enum { M = 7, N = 9, K = 11, ROW = 13 };
  float *a = random_numbers (ROW * ROW, 1), *b = random_numbers (ROW * ROW, 2);
  double a64[ROW * ROW], b64[ROW * ROW];
  for (size_t i = 0; i < ROW * ROW; i++) {
    a64[i] = (double)a[i];
    b64[i] = (double)b[i];
  }
  for (int way = 0; way < 4; way++) {
    bool ta = way & 1, tb = way & 2;
    float *c = random_numbers (M * ROW, 3), *before = random_numbers (M * ROW, 3);
    double c64[M * ROW] = {0};
    matmul_gemm_f32 (ta, tb, M, N, K, 2, a, ROW, b, ROW, 3, c, ROW);
    matmul_gemm_f64 (ta, tb, M, N, K, 2, a64, ROW, b64, ROW, 0, c64, ROW);
    for (size_t i = 0; i < M; i++)
      for (size_t j = 0; j < N; j++) {
        double sum = 0;
        for (size_t k = 0; k < K; k++)
          sum += a64[ta ? k * ROW + i : i * ROW + k] * b64[tb ? j * ROW + k : k * ROW + j];
        double with_old = 2 * sum + 3 * (double)before[i * ROW + j];
        assert_true (fabs (c64[i * ROW + j] - 2 * sum) <= 100 * 0x1p-52);
        assert_true (fabs ((double)c[i * ROW + j] - with_old) <= 100 * 0x1p-23);
      }
    free (c);
    free (before);
  }
  free (a);
  free (b);
}

/* ---- interruption ---- */

static int always (void *unused)
{
  (void)unused;
  return 1;
}

static void interruption (void **state)
{
  (void)state;
  attn_run run = {.interrupted = always};
  for (size_t T = 1; T <= 64; T += 63) {
    float *x = random_numbers (T * 8, 1), *w = random_numbers (8 * 8, 2), y[64 * 8];
    matmul_linear_job job = {T, 8, 8, x, w, NULL, y, 8, 8, 8, false, NULL};
    matmul_project_job transposed = {T, 8, 8, x, w, y, 8, 8};
    assert_int_equal (matmul_linear (&job, table (), &run, NULL), ATTN_E_INTERRUPTED);
    assert_int_equal (matmul_project (&transposed, table (), &run, NULL), ATTN_E_INTERRUPTED);
    free (x);
    free (w);
  }
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (linear),  cmocka_unit_test (linear_bits),
      cmocka_unit_test (project), cmocka_unit_test (nan_stays_in_its_row),
      cmocka_unit_test (norm),    cmocka_unit_test (gelu),
      cmocka_unit_test (gemm),    cmocka_unit_test (interruption),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
