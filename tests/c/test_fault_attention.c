/* Every allocation of the forward pass fails once: a clean error, nothing leaked, and the same
 * call works again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fault/alloc.h"
#include "kernel/kern.h"
#include "support/attention.h"
#include "support/isas.h"

static const size_t pages[ATTN_PAGE_DIMS] = {2, 1, 1};

/* every_fault -- at least AT_LEAST allocations. */
static void every_fault (test_problem *t, const attn_run *run, long at_least)
{
  fault_set (-1);
  problem_run (t, run);
  const long calls = fault_count ();
  assert_true (calls >= at_least);
  for (long n = 1; n <= calls; n++) {
    attn_error err = {{0}};
    fault_set (n);
    attn_status status = attn_attention_forward (&t->call, run, &err);
    fault_set (-1);
    assert_int_equal (status, ATTN_E_NOMEM);
    assert_true (strncmp (err.text, "out of memory", 13) == 0);
    assert_int_equal (fault_live (), 0);
  }
  problem_run (t, run);
  problem_check (t);
  assert_int_equal (fault_live (), 0);
}

static void faults (void *context)
{
  (void)context;
  uint64_t seed = 1;
  for (int threads = 1; threads <= 2; threads++)
    for (size_t n = 3; n <= 200; n += 197) {
      const attn_run run = {.threads = threads};
      const size_t sizes[4] = {n, n, 40, 40};
      test_problem t;
      problem_create (&t, ATTN_F32, sizes, pages, pages, LAYOUT_COLUMNS, &seed);
      every_fault (&t, &run, 1);
      /* With a row for the reference, which takes memory of its own. */
      matrix_set (&t.q, 0, 1, 1, NAN);
      every_fault (&t, &run, 2);
      /* With NaN in V, which is copied. */
      matrix_set (&t.v, 1, 1, 1, NAN);
      every_fault (&t, &run, n > 3 && kern_isa_choose () != KERN_REFERENCE ? 4 : 2);
      problem_free (&t);
    }
}

static void test_faults (void **state)
{
  (void)state;
  each_isa (faults, NULL);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_faults)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
