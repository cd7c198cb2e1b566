/* Attention at the edges: no visible key, the ends of the range of numbers, alignment of causal,
 * empty sizes, bad arguments, interrupts.  Right values were computed by hand or in double. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attn/attention.h"
#include "support/attention.h"
#include "support/isas.h"

enum {
  MOST = 128, /* elements of a matrix here */
  REPEATS = 9 /* of a single query: enough to be packed */
};

/* A problem given by its numbers, column-major. */
typedef struct {
  size_t Nq, Nk, d, dv;
  double q[MOST], k[MOST], v[MOST];
  int causal;
  double scale; /* 0 = the default */
  const double *numeric_mask;
  const uint8_t *logical_mask;
} numbers;

/* narrow -- the same numbers in single, in the memory of OUT. */
static void *narrow (const double *in, float *out)
{
  for (int t = 0; t < MOST; t++)
    out[t] = (float)in[t];
  return out;
}

/* solve -- Y and W; with REPEATED, REPEATS times the one query. */
static void solve (const numbers *n, attn_type type, bool repeated, double *y, double *w)
{
  float single[5][MOST];
  double q[MOST], k[MOST], v[MOST];
  memcpy (q, n->q, sizeof q);
  memcpy (k, n->k, sizeof k);
  memcpy (v, n->v, sizeof v);
  attn_attention a;
  const size_t Nq = repeated ? REPEATS : n->Nq;
  attn_attention_init (&a, type, Nq, n->Nk, n->d, n->dv);
  if (repeated)
    a.q.row_stride = 0, a.q.col_stride = 1;
  const bool f32 = type == ATTN_F32;
  a.q.data = f32 ? narrow (q, single[0]) : q;
  a.k.data = f32 ? narrow (k, single[1]) : k;
  a.v.data = f32 ? narrow (v, single[2]) : v;
  a.y.data = f32 ? (void *)single[3] : y;
  a.w.data = f32 ? (void *)single[4] : w;
  a.causal = n->causal;
  if (n->scale != 0)
    a.scale = n->scale;
  if (n->logical_mask != NULL) {
    a.mask_kind = ATTN_MASK_LOGICAL;
    a.mask.data = (void *)(uintptr_t)n->logical_mask;
  } else if (n->numeric_mask != NULL) {
    a.mask_kind = ATTN_MASK_F64;
    a.mask.data = (void *)(uintptr_t)n->numeric_mask;
  }
  attn_error err;
  assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_OK);
  for (size_t t = 0; t < Nq * n->dv && f32; t++)
    y[t] = (double)single[3][t];
  for (size_t t = 0; t < Nq * n->Nk && f32; t++)
    w[t] = (double)single[4][t];
}

/* expect -- Y and W (either may be NULL) within 8 eps of the type, relative: a few roundings.  A
 * single query is tried by itself, which has a kernel of its own, and as several. */
static void expect (const numbers *n, attn_type type, const double *y, const double *w)
{
  double got_y[MOST], got_w[MOST];
  const double relative = 8 * (type == ATTN_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
  const int variants = n->Nq == 1 && !n->causal ? 2 : 1;
  for (int repeated = 0; repeated < variants; repeated++) {
    const size_t rows = repeated ? REPEATS : 1;
    solve (n, type, repeated, got_y, got_w);
    for (size_t t = 0; y != NULL && t < n->Nq * n->dv * rows; t++)
      if (!(fabs (got_y[t] - y[t / rows]) <= relative * fabs (y[t / rows])))
        fail_msg ("type %d: Y[%zu] is %.17g, not %.17g", type, t, got_y[t], y[t / rows]);
    for (size_t t = 0; w != NULL && t < n->Nq * n->Nk * rows; t++)
      if (!(fabs (got_w[t] - w[t / rows]) <= relative * fabs (w[t / rows])))
        fail_msg ("type %d: W[%zu] is %.17g, not %.17g", type, t, got_w[t], w[t / rows]);
  }
}

static void expect_both (const numbers *n, const double *y, const double *w)
{
  expect (n, ATTN_F32, y, w);
  expect (n, ATTN_F64, y, w);
}

static void no_visible_key (void *context)
{
  (void)context;
  const uint8_t logical[] = {1, 0, 0, 0};
  const double numeric[] = {0, -INFINITY, -INFINITY, -INFINITY};
  numbers n = {2, 2, 2, 2, .q = {1, 0, 0, 1}, .k = {1, 0, 0, 1}, .v = {1, 3, 2, 4}};
  n.logical_mask = logical;
  expect_both (&n, (double[]){1, 0, 2, 0}, (double[]){1, 0, 0, 0});
  n.logical_mask = NULL;
  n.numeric_mask = numeric;
  expect_both (&n, (double[]){1, 0, 2, 0}, (double[]){1, 0, 0, 0});
}

static void causal_is_lower_right (void *context)
{
  (void)context;
  numbers one = {1, 4, 2, 1, .q = {1, 1}, .k = {1, 0, 1, 0, 0, 1, 1, 0}, .v = {10, 20, 30, 40}};
  one.causal = 1;
  expect_both (&one, (double[]){24.45514385192491}, NULL);
  numbers more = {5, 2, 1, 1, .q = {1, 1, 1, 1, 1}, .k = {0, 1.0986122886681098}, .v = {1, 5}};
  more.causal = 1;
  expect (&more, ATTN_F64, (double[]){0, 0, 0, 1, 4}, (double[]){0, 0, 0, 1, .25, 0, 0, 0, 0, .75});
}

static void scale_zero_and_default (void *context)
{
  (void)context;
  numbers n = {3,
               3,
               2,
               2,
               .q = {.1, .3, .5, .2, .4, .6},
               .k = {.7, .9, 1.1, .8, 1, 1.2},
               .v = {1, 3, 5, 2, 4, 6}};
  n.causal = 1;
  expect_both (
      &n,
      (double[]){1, 2.049457091320634, 3.206585765974344, 2, 3.049457091320634, 4.206585765974344},
      NULL);
  n.scale = 1e-300; /* as good as 0, and below the range of single */
  expect_both (&n, (double[]){1, 2, 3, 2, 3, 4}, NULL);
}

/* The most negative finite number hides nothing: all keys alike. */
static void most_negative_mask (void *context)
{
  (void)context;
  const double rows[] = {-DBL_MAX, 0, 0, -DBL_MAX, 0, 0, -DBL_MAX, 0, 0};
  numbers n = {3, 3, 2, 1, .q = {1, 0, 1, 0, 1, 1}, .k = {1, 0, 1, 0, 1, 1}, .v = {1, 2, 6}};
  n.numeric_mask = rows;
  expect_both (&n, (double[]){3, 3.406672556078715, 3.765704295680492}, NULL);
}

static void scores_beyond_range (void *context)
{
  (void)context;
  numbers big = {2, 2, 1, 1, .q = {1000, -1000}, .k = {1000, 999}, .v = {1, 2}};
  expect_both (&big, (double[]){1, 2}, (double[]){1, 0, 0, 1});
  numbers f32 = {1, 2, 2, 1, .q = {3e19, 0}, .k = {3e19, -3e19, 0, 0}, .v = {1, 2}};
  expect_both (&f32, (double[]){1}, (double[]){1, 0});
  numbers f64 = {1, 2, 1, 1, .q = {1e200}, .k = {1e200, 2e200}, .v = {1, 2}};
  expect (&f64, ATTN_F64, (double[]){2}, (double[]){0, 1});
  f64.scale = 1e300;
  expect (&f64, ATTN_F64, (double[]){2}, (double[]){0, 1});
}

/* Parts of the sum overflow, the sum does not: scores 0 and log (3).  First the products are in
 * range and only -a - a is not, then no product is. */
static void parts_beyond_range (void *context)
{
  (void)context;
  const double factors[2][2][2] = {{{1e19, 2e19}, {1e30, 1e30}},
                                   {{1e154, 1.2e154}, {1e200, 1e200}}};
  for (int type = ATTN_F32; type <= ATTN_F64; type++)
    for (int size = 0; size < 2; size++) {
      const double q = factors[type][size][0], k = factors[type][size][1];
      numbers n = {1,
                   2,
                   5,
                   1,
                   .q = {q, q, q, q, 1.0986122886681098},
                   .k = {-k, 0, -k, 0, k, 0, k, 0, 0, 1},
                   .v = {1, 5}};
      n.scale = 1;
      expect (&n, (attn_type)type, (double[]){4}, (double[]){.25, .75});
    }
}

/* q*scale below the normal numbers, half way between two others, with keys so large that the
 * rounding would show: scores 0 and log (3). */
static void scale_below_range (void *context)
{
  (void)context;
  enum { D = 45 };
  const int smallest[] = {[ATTN_F32] = -149, [ATTN_F64] = -1074};
  const double steps[] = {[ATTN_F32] = 52000.5, [ATTN_F64] = 30000000000000.5};
  for (int type = ATTN_F32; type <= ATTN_F64; type++) {
    numbers n = {1, 2, D, 1, .v = {1, 5}};
    const int part = smallest[type] / 2;
    n.scale = ldexp (steps[type], smallest[type] - part);
    for (int c = 0; c < D; c++) {
      n.q[c] = ldexp (1, part);
      n.k[2 * c + 1] =
          ldexp (1.0986122886681098 / (D * steps[type]), -part) * ldexp (1, part - smallest[type]);
    }
    expect (&n, (attn_type)type, (double[]){4}, NULL);
  }
}

/* Eleven times the rounded 1/11 of the largest number is beyond the range. */
static void values_at_the_end_of_the_range (void *context)
{
  (void)context;
  enum { KEYS = 11 };
  numbers n = {1, KEYS, 1, 2, .q = {1}};
  for (int type = ATTN_F32; type <= ATTN_F64; type++) {
    const double max = type == ATTN_F32 ? (double)FLT_MAX : DBL_MAX;
    for (int t = 0; t < KEYS; t++)
      n.v[t] = max, n.v[KEYS + t] = -max;
    expect (&n, (attn_type)type, (double[]){max, -max}, NULL);
  }
}

/* Enough queries and keys for whole panels; the hidden keys and values are NaN. */
static void hidden_is_hidden (void *context)
{
  (void)context;
  uint64_t seed = 1;
  const size_t sizes[4] = {40, 50, 9, 7}, pages[ATTN_PAGE_DIMS] = {1, 1, 1};
  for (int type = ATTN_F32; type <= ATTN_F64; type++) {
    test_problem t;
    problem_create (&t, (attn_type)type, sizes, pages, pages, LAYOUT_COLUMNS, &seed);
    problem_mask (&t, ATTN_MASK_LOGICAL, MASK_ONE_ROW, &seed);
    for (size_t j = 0; j < t.call.Nk; j++) {
      bool hide = j % 7 == 3 || j >= 44;
      matrix_set (&t.mask, 0, 0, j, !hide);
      for (size_t c = 0; c < t.call.d && hide; c++)
        matrix_set (&t.k, 0, j, c, c % 2 == 0 ? NAN : INFINITY);
      for (size_t c = 0; c < t.call.dv && hide; c++)
        matrix_set (&t.v, 0, j, c, NAN);
    }
    problem_run (&t, NULL);
    for (size_t i = 0; i < t.call.Nq; i++)
      for (size_t c = 0; c < t.call.dv; c++)
        assert_true (isfinite (matrix_get (&t.y, 0, i, c)));
    problem_check (&t);
    problem_free (&t);
  }
}

/* A mask of doubles beyond single acts as the largest single; its infinities do not. */
static void mask_beyond_single (void *context)
{
  (void)context;
  const double values[] = {1e300, -1e300, -INFINITY, 0, -1e39, 3e38};
  uint64_t seed = 2;
  const size_t sizes[4] = {33, 50, 6, 5}, pages[ATTN_PAGE_DIMS] = {1, 1, 1};
  test_problem t;
  problem_create (&t, ATTN_F32, sizes, pages, pages, LAYOUT_COLUMNS, &seed);
  problem_mask (&t, ATTN_MASK_F64, MASK_FULL, &seed);
  for (size_t i = 0; i < t.call.Nq; i++)
    for (size_t j = 0; j < t.call.Nk; j++)
      matrix_set (&t.mask, 0, i, j, values[(i * j) % (i < 9 ? 6 : 4)]);
  problem_run (&t, NULL);
  problem_check (&t);
  problem_free (&t);
}

static void empty_sizes (void *context)
{
  (void)context;
  const size_t pages[ATTN_PAGE_DIMS] = {1, 2, 1};
  uint64_t seed = 3;
  for (int which = 0; which < 4; which++)
    for (int type = ATTN_F32; type <= ATTN_F64; type++) {
      size_t sizes[4] = {9, 21, 5, 3};
      sizes[which] = 0;
      test_problem t;
      problem_create (&t, (attn_type)type, sizes, pages, pages, LAYOUT_COLUMNS, &seed);
      problem_run (&t, NULL);
      problem_check (&t);
      problem_free (&t);
    }
  attn_attention none;
  attn_attention_init (&none, ATTN_F64, 3, 3, 3, 3);
  none.pages[1] = 0;
  assert_int_equal (attn_attention_forward (&none, NULL, NULL), ATTN_OK);
}

static void run_each (void **state)
{
  void (*check) (void *) = *state;
  each_isa (check, NULL);
}

static void test_bad_arguments (void **state)
{
  (void)state;
  attn_error err;
  attn_attention a;
  double number = 1;
  attn_attention_init (&a, ATTN_F64, 1, 1, 1, 1);
  a.q.data = a.k.data = a.v.data = &number;
  a.scale = NAN;
  assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_E_RANGE);
  assert_non_null (strstr (err.text, "Scale"));
  a.scale = INFINITY;
  assert_int_equal (attn_attention_forward (&a, NULL, NULL), ATTN_E_RANGE);
  a.scale = 1;
  a.pages[1] = 3;
  a.kv_pages[1] = 2;
  assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_E_SIZE);
  assert_non_null (strstr (err.text, "2 pages"));
  assert_non_null (strstr (err.text, "3 of Q"));
  a.kv_pages[1] = 0;
  assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_E_SIZE);

  /* Sizes whose products wrap around: a clean error, whichever is met first. */
  double y;
  attn_attention_init (&a, ATTN_F64, 1, (size_t)1 << 61, 8, 8);
  a.q.data = a.k.data = a.v.data = &number;
  a.y.data = &y;
  assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_E_SIZE);
  attn_attention_init (&a, ATTN_F64, 100, (size_t)1 << 60, 1, 1);
  a.q.data = a.k.data = a.v.data = &number;
  a.y.data = &y;
  assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_E_SIZE);
}

static int countdown (void *data)
{
  int *left = data;
  return --*left <= 0;
}

/* Interrupted at the first and at a later poll; then the same call runs through. */
static void test_interrupt (void **state)
{
  (void)state;
  uint64_t seed = 4;
  const size_t sizes[4] = {1024, 512, 32, 8}, pages[ATTN_PAGE_DIMS] = {1, 1, 1};
  test_problem t;
  problem_create (&t, ATTN_F64, sizes, pages, pages, LAYOUT_COLUMNS, &seed);
  t.call.w.data = NULL;
  for (int polls = 1; polls <= 3; polls += 2)
    for (int threads = 1; threads <= 2; threads++) {
      int left = polls;
      attn_run run = {.threads = threads, .interrupted = countdown, .interrupted_data = &left};
      attn_error err;
      assert_int_equal (attn_attention_forward (&t.call, &run, &err), ATTN_E_INTERRUPTED);
    }
  int never = 1 << 30;
  attn_run run = {.interrupted = countdown, .interrupted_data = &never};
  problem_run (&t, &run);
  problem_check (&t);
  problem_free (&t);
}

#define EACH(f)                                                                                    \
  {                                                                                                \
    .name = #f, .test_func = run_each, .initial_state = (void *)(uintptr_t)f                       \
  }

int main (void)
{
  const struct CMUnitTest tests[] = {
      EACH (no_visible_key),
      EACH (causal_is_lower_right),
      EACH (scale_zero_and_default),
      EACH (most_negative_mask),
      EACH (scores_beyond_range),
      EACH (parts_beyond_range),
      EACH (scale_below_range),
      EACH (values_at_the_end_of_the_range),
      EACH (hidden_is_hidden),
      EACH (mask_beyond_single),
      EACH (empty_sizes),
      cmocka_unit_test (test_bad_arguments),
      cmocka_unit_test (test_interrupt),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
