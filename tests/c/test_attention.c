/* Attention of every instruction set against the formula in long double, over many shapes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/attention.h"
#include "support/isas.h"

static const size_t one_page[ATTN_PAGE_DIMS] = {1, 1, 1};

/* up_to -- a number from 0 to LIMIT, small ones more often. */
static size_t up_to (size_t limit, uint64_t *state)
{
  size_t top = random_u32 (state) % (limit + 1);
  return random_u32 (state) % (top + 1);
}

static void random_options (test_problem *t, uint64_t *state)
{
  attn_attention *a = &t->call;
  a->causal = random_u32 (state) % 2 == 0;
  if (random_u32 (state) % 3 == 0)
    a->window_left = up_to (40, state);
  if (random_u32 (state) % 3 == 0)
    a->window_right = up_to (40, state);
  if (random_u32 (state) % 4 == 0)
    a->scale = random_real (state);
  if (random_u32 (state) % 2 == 0)
    problem_mask (t, ATTN_MASK_LOGICAL + random_u32 (state) % 3, random_u32 (state) % MASK_SHAPES,
                  state);
  uint32_t wanted = random_u32 (state) % 4;
  if (wanted == 0)
    a->y.data = NULL;
  else if (wanted < 3)
    a->w.data = NULL;
}

static void random_problem (test_problem *t, attn_type type, uint64_t *state)
{
  size_t pages[ATTN_PAGE_DIMS] = {1, 1, 1}, kv_pages[ATTN_PAGE_DIMS] = {1, 1, 1};
  if (random_u32 (state) % 4 == 0)
    for (int n = 0; n < ATTN_PAGE_DIMS; n++) {
      kv_pages[n] = 1 + random_u32 (state) % 2;
      pages[n] = kv_pages[n] * (1 + random_u32 (state) % 2);
    }
  const size_t sizes[4] = {1 + up_to (66, state), 1 + up_to (66, state), up_to (130, state),
                           up_to (70, state)};
  problem_create (t, type, sizes, pages, kv_pages, random_u32 (state) % LAYOUTS, state);
  random_options (t, state);
}

static const attn_run one_thread = {.threads = 1};

/* some_of -- COUNT problems, but few where each takes fifty times as long. */
static int some_of (int count)
{
  return long_double_is_wide () ? count : (count + 14) / 15;
}

static void shapes_of_type (attn_type type, uint64_t seed, int count)
{
  for (int n = 0; n < count; n++) {
    test_problem t;
    random_problem (&t, type, &seed);
    problem_run (&t, &one_thread);
    problem_check (&t);
    problem_free (&t);
  }
}

static void shapes (void *context)
{
  (void)context;
  shapes_of_type (ATTN_F32, 1, some_of (150));
  shapes_of_type (ATTN_F64, 2, some_of (150));
}

static void test_shapes (void **state)
{
  (void)state;
  each_isa (shapes, NULL);
}

/* Every number of queries, keys and columns in turn, the others fixed: all remainders of panels,
 * groups and vectors. */
static void each_size (void *context)
{
  (void)context;
  uint64_t seed = 3;
  for (size_t n = 1; n <= 67; n += (size_t)(67 / some_of (67)))
    for (int which = 0; which < 4; which++) {
      size_t sizes[4] = {19, 23, 5, 9};
      sizes[which] = n;
      test_problem t;
      problem_create (&t, n % 2 == 0 ? ATTN_F32 : ATTN_F64, sizes, one_page, one_page,
                      (layout_kind)(n / 2 % LAYOUTS), &seed);
      t.call.causal = which % 2;
      problem_run (&t, &one_thread);
      problem_check (&t);
      problem_free (&t);
    }
}

static void test_each_size (void **state)
{
  (void)state;
  each_isa (each_size, NULL);
}

/* More keys than a block and more queries than a tile, with every kind of mask, on two threads. */
static void many_blocks (void *context)
{
  (void)context;
  const attn_run two_threads = {.threads = 2};
  uint64_t seed = 4;
  for (int n = 0; n < some_of (16); n++) {
    const size_t sizes[4] = {130 + up_to (150, &seed), 200 + up_to (300, &seed), 11, 17};
    test_problem t;
    problem_create (&t, n % 2 == 0 ? ATTN_F32 : ATTN_F64, sizes, one_page, one_page,
                    (layout_kind)(n / 2 % LAYOUTS), &seed);
    random_options (&t, &seed);
    if (n % 4 < 2)
      t.call.w = t.w.view;
    problem_run (&t, &two_threads);
    problem_check (&t);
    problem_free (&t);
  }
}

static void test_many_blocks (void **state)
{
  (void)state;
  each_isa (many_blocks, NULL);
}

/* Whole pages to a thread, and one after the other on all threads. */
static void many_pages (void *context)
{
  (void)context;
  const attn_run two_threads = {.threads = 2};
  uint64_t seed = 5;
  const size_t counts[][2][ATTN_PAGE_DIMS] = {{{6, 2, 1}, {3, 2, 1}}, {{2, 1, 3}, {1, 1, 3}}};
  for (int n = 0; n < 4; n++) {
    const size_t sizes[4] = {90, 150, 20, 70};
    test_problem t;
    problem_create (&t, n % 2 == 0 ? ATTN_F32 : ATTN_F64, sizes, counts[n / 2][0], counts[n / 2][1],
                    LAYOUT_ROWS, &seed);
    t.call.causal = 1;
    t.call.w.data = NULL;
    problem_run (&t, &two_threads);
    problem_check (&t);
    problem_free (&t);
  }
}

static void test_many_pages (void **state)
{
  (void)state;
  each_isa (many_pages, NULL);
}

/* Columns by the thousand: nothing is sized by a usual head. */
static void wide (void *context)
{
  (void)context;
  uint64_t seed = 6;
  const size_t sizes[4] = {9, 14, 5000, 5000};
  for (int type = ATTN_F32; type <= ATTN_F64; type++) {
    test_problem t;
    problem_create (&t, (attn_type)type, sizes, one_page, one_page, LAYOUT_COLUMNS, &seed);
    problem_run (&t, NULL);
    problem_check (&t);
    problem_free (&t);
  }
}

static void test_wide (void **state)
{
  (void)state;
  each_isa (wide, NULL);
}

/* The accuracy that the package promises, on numbers as a normalised layer gives. */
static void accuracy (void *context)
{
  (void)context;
  uint64_t seed = 7;
  const size_t sizes[4] = {515, 515, 64, 8};
  const double promised[] = {[ATTN_F32] = 2e-6, [ATTN_F64] = 4e-15};
  for (int type = ATTN_F32; type <= ATTN_F64; type++) {
    if (type == ATTN_F64 && !long_double_is_wide ())
      continue;
    test_problem t;
    problem_create (&t, (attn_type)type, sizes, one_page, one_page, LAYOUT_COLUMNS, &seed);
    t.call.w.data = NULL;
    problem_run (&t, NULL);
    double error = problem_error (&t);
    if (!(error <= promised[type]))
      fail_msg ("error %.2g, type %d", error, type);
    problem_free (&t);
  }
}

static void test_accuracy (void **state)
{
  (void)state;
  each_isa (accuracy, NULL);
}

/* NaN and infinities anywhere: what hides them hides them wholly, the rest is IEEE arithmetic. */
static void specials (void *context)
{
  (void)context;
  const double values[] = {NAN, INFINITY, -INFINITY};
  uint64_t seed = 8;
  for (int n = 0; n < 300; n++) {
    test_problem t;
    random_problem (&t, n % 2 == 0 ? ATTN_F32 : ATTN_F64, &seed);
    const test_matrix *into[] = {&t.q, &t.k, &t.v};
    for (uint32_t count = 1 + random_u32 (&seed) % 3; count > 0; count--) {
      const test_matrix *m = into[random_u32 (&seed) % 3];
      if (m->columns == 0)
        continue;
      matrix_set (m, 0, random_u32 (&seed) % m->rows, random_u32 (&seed) % m->columns,
                  values[random_u32 (&seed) % 3]);
    }
    problem_run (&t, &one_thread);
    problem_check (&t);
    problem_free (&t);
  }
}

static void test_specials (void **state)
{
  (void)state;
  if (!long_double_is_wide ()) /* valgrind's long doubles also lose infinities */
    skip ();
  each_isa (specials, NULL);
}

/* NaN in V alone: in one page of two, in a few places or all over, with every kind of mask and
 * order, so that some rows see them and others do not. */
static void missing (void *context)
{
  (void)context;
  const attn_run two_threads = {.threads = 2};
  const size_t sizes[4] = {140, 150, 9, 7}, pages[ATTN_PAGE_DIMS] = {4, 1, 1};
  const size_t kv_pages[ATTN_PAGE_DIMS] = {2, 1, 1};
  uint64_t seed = 9;
  for (int n = 0; n < 48; n++) {
    test_problem t;
    problem_create (&t, n % 2 == 0 ? ATTN_F32 : ATTN_F64, sizes, pages, kv_pages,
                    (layout_kind)(n % LAYOUTS), &seed);
    random_options (&t, &seed);
    const bool all = n % 8 == 7;
    for (size_t j = 0; j < sizes[1]; j++)
      for (size_t c = 0; c < sizes[3]; c++)
        if (all || random_u32 (&seed) % 100 == 0)
          matrix_set (&t.v, 1, j, c, NAN);
    problem_run (&t, n % 4 < 2 ? &one_thread : &two_threads);
    problem_check (&t);
    problem_free (&t);
  }
}

static void test_missing (void **state)
{
  (void)state;
  if (!long_double_is_wide ())
    skip ();
  each_isa (missing, NULL);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_shapes),      cmocka_unit_test (test_each_size),
      cmocka_unit_test (test_many_blocks), cmocka_unit_test (test_many_pages),
      cmocka_unit_test (test_wide),        cmocka_unit_test (test_accuracy),
      cmocka_unit_test (test_specials),    cmocka_unit_test (test_missing),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
