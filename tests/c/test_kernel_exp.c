#define _POSIX_C_SOURCE 200809L
/* 2^x and exp of every instruction set: the one through the kernel that replaces scores by
 * exponentials, the other through the weights of a single row. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernel/kern.h"
#include "support/attention.h"
#include "support/isas.h"

enum { MOST_LANES = 64, KEYS = 499 };

typedef struct {
  const kern_attention *kernel;
  attn_type type;
  size_t size;
} bench;

static void put (const bench *b, char *at, size_t n, double value)
{
  float single = (float)value;
  if (b->type == ATTN_F32)
    memcpy (at + n * b->size, &single, sizeof single);
  else
    memcpy (at + n * b->size, &value, sizeof value);
}

static double get (const bench *b, const char *at, size_t n)
{
  float single;
  double value;
  if (b->type == ATTN_F32)
    return memcpy (&single, at + n * b->size, sizeof single), (double)single;
  return memcpy (&value, at + n * b->size, sizeof value), value;
}

/* exponentials -- 2^x[n] of COUNT numbers, a multiple of the lanes, in place; the sums of the
 * lanes in SUM. */
static void exponentials (const bench *b, char *x, size_t count, char *sum)
{
  char max[MOST_LANES * sizeof (double)], factor[sizeof max];
  for (size_t r = 0; r < b->kernel->lanes; r++) {
    put (b, max, r, 0);
    put (b, sum, r, 0);
  }
  b->kernel->exponentials (x, count / b->kernel->lanes, max, max, factor, sum);
}

/* ulp_error -- |got - expected| in units of the last place of EXPECTED. */
static long double ulp_error (const bench *b, double got, long double expected)
{
  int exponent;
  frexpl (expected, &exponent);
  return fabsl ((long double)got - expected) *
         ldexpl (1, (b->type == ATTN_F32 ? FLT_MANT_DIG : DBL_MANT_DIG) - exponent);
}

/* The whole range in steps that are no multiple of 1, and the neighbourhood of 0. */
static void within_two_ulp (const bench *b)
{
  const double lowest = b->type == ATTN_F32 ? -125.98 : -1021.98;
  const size_t count = KEYS * b->kernel->lanes;
  char *x = malloc (count * b->size), *in = malloc (count * b->size), sum[MOST_LANES * 8];
  assert_non_null (x);
  assert_non_null (in);
  long double worst = 0;
  for (int round = 0; round < 40; round++) {
    for (size_t n = 0; n < count; n++) {
      double part = ((double)n + (double)round / 40) / (double)count;
      put (b, in, n, round % 4 == 3 ? -ldexp (1 + part, -(int)(n % 40)) : lowest * part);
    }
    memcpy (x, in, count * b->size);
    exponentials (b, x, count, sum);
    for (size_t n = 0; n < count; n++) {
      long double error = ulp_error (b, get (b, x, n), exp2l ((long double)get (b, in, n)));
      worst = error > worst ? error : worst;
    }
  }
  free (x);
  free (in);
  if (!(worst <= 2))
    fail_msg ("%.3Lf ulp, type %d", worst, b->type);
}

/* Scores below -50 beside one of 0: their sum is 1, and the weights are the exponentials; the last
 * one is below the range. */
static void row_within_two_ulp (const bench *b)
{
  const double lowest = b->type == ATTN_F32 ? -87.3 : -708.3;
  const double below = b->type == ATTN_F32 ? -88.1 : -708.9;
  _Alignas(double) char one[sizeof (double)], k[KEYS * sizeof (double)], w[sizeof k];
  _Alignas(double) char scratch[(2 + KEYS + KERN_ROW_PADDING) * sizeof (double)];
  kern_page page = {.type = b->type, .Nq = 1, .Nk = KEYS, .d = 1, .scale = 1};
  page.q = (kern_matrix){one, 1, 1};
  page.k = (kern_matrix){k, 1, KEYS};
  page.w = (kern_matrix){w, 1, 1};
  put (b, one, 0, 1);
  put (b, k, 0, 0);
  for (int round = 0; round < 40; round++) {
    put (b, k, KEYS - 1, below);
    for (size_t j = 1; j < KEYS - 1; j++)
      put (b, k, j, -50 + (lowest + 50) * ((double)j + (double)round / 40) / KEYS);
    assert_true (b->kernel->row (&page, 0, (kern_range){0, KEYS}, scratch));
    assert_true (get (b, w, KEYS - 1) == 0);
    for (size_t j = 0; j < KEYS - 1; j++)
      assert_true (ulp_error (b, get (b, w, j), expl ((long double)get (b, k, j))) <= 2);
  }
}

/* 0 gives 1; what is hidden or far below gives 0, not something small; NaN is not lost. */
static void at_the_ends (const bench *b)
{
  const double in[] = {0, -INFINITY, -DBL_MAX, b->type == ATTN_F32 ? -126.6 : -1022.6, NAN, -0.0};
  const double out[] = {1, 0, 0, 0, NAN, 1};
  char x[MOST_LANES * sizeof (double)], sum[sizeof x];
  for (size_t t = 0; t < sizeof in / sizeof *in; t++) {
    for (size_t r = 0; r < b->kernel->lanes; r++)
      put (b, x, r, in[t]);
    exponentials (b, x, b->kernel->lanes, sum);
    for (size_t r = 0; r < b->kernel->lanes; r++) {
      double got = get (b, x, r), total = get (b, sum, r);
      assert_true (isnan (out[t]) ? isnan (got) && isnan (total) : got == out[t] && total == got);
    }
  }
}

static void check (void *context)
{
  (void)context;
  for (int type = ATTN_F32; type <= ATTN_F64; type++) {
    bench b = {.kernel = kern_attention_table (kern_isa_choose (), (attn_type)type),
               .type = (attn_type)type,
               .size = type == ATTN_F32 ? sizeof (float) : sizeof (double)};
    if (b.kernel == NULL)
      continue;
    assert_true (b.kernel->lanes <= MOST_LANES);
    if (type == ATTN_F32 || long_double_is_wide ()) {
      within_two_ulp (&b);
      row_within_two_ulp (&b);
    }
    at_the_ends (&b);
  }
}

static void test_exp (void **state)
{
  (void)state;
  each_isa (check, NULL);
}

/* The choice of an instruction set: a name that is unknown or does not run here changes nothing. */
static void test_choice (void **state)
{
  (void)state;
  kern_isa best = kern_isa_choose ();
  assert_true (kern_isa_runs (best));
  assert_int_equal (setenv ("ATTN_KERNEL", "abacus", 1), 0);
  assert_int_equal (kern_isa_choose (), best);
  assert_int_equal (setenv ("ATTN_KERNEL", "reference", 1), 0);
  assert_int_equal (kern_isa_choose (), KERN_REFERENCE);
  assert_null (kern_attention_table (KERN_REFERENCE, ATTN_F64));
  assert_int_equal (unsetenv ("ATTN_KERNEL"), 0);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_exp), cmocka_unit_test (test_choice)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
