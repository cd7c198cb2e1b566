/* Every allocation of a backward pass fails once: a clean error, and nothing leaks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "attn/attention.h"
#include "fault/alloc.h"

enum { N = 5, D = 3 };

/* pass -- gradients of a small problem; with a visible NaN the plain rows need memory, too. */
static attn_status pass (double poison, attn_error *err)
{
  double in[4][N * D], out[3][N * D];
  for (int n = 0; n < 4; n++)
    for (int i = 0; i < N * D; i++)
      in[n][i] = sin (n + 4 * i);
  in[2][1] = poison;
  attn_attention a;
  attn_attention_init (&a, ATTN_F64, N, N, D, D);
  attn_attention_gradient g = {.dy = a.y, .dq = a.q, .dk = a.k, .dv = a.v};
  a.q.data = in[0];
  a.k.data = in[1];
  a.v.data = in[2];
  g.dy.data = in[3];
  g.dq.data = out[0];
  g.dk.data = out[1];
  g.dv.data = out[2];
  attn_run run = {.threads = 1};
  return attn_attention_backward (&a, &g, &run, err);
}

static void fail_each (double poison, long allocations)
{
  for (long failing = 1; failing <= allocations + 1; failing++) {
    attn_error err = {""};
    long live = fault_live ();
    fault_set (failing);
    attn_status status = pass (poison, &err);
    fault_set (0);
    assert_int_equal (status, failing <= allocations ? ATTN_E_NOMEM : ATTN_OK);
    assert_true ((strstr (err.text, "out of memory") != NULL) == (failing <= allocations));
    assert_int_equal (fault_live (), live);
  }
}

static void every_allocation (void **state)
{
  (void)state;
  fail_each (1, 2);   /* the list of rows; scratch and sums */
  fail_each (NAN, 5); /* and two sums and a row for the plain rows */
}

/* Sizes whose products wrap: 2^32 pages of 2^32 rows would be a list of no rows. */
static void sizes_that_wrap (void **state)
{
  (void)state;
  for (int log_pages = 29; log_pages <= 40; log_pages++) {
    attn_attention a;
    attn_attention_init (&a, ATTN_F64, (size_t)1 << (64 - log_pages), 0, 0, 0);
    a.pages[0] = (size_t)1 << log_pages;
    a.kv_pages[0] = 1;
    attn_attention_gradient g = {.dy = a.y, .dq = a.q, .dk = a.k, .dv = a.v};
    attn_error err = {""};
    assert_int_equal (attn_attention_backward (&a, &g, NULL, &err), ATTN_E_SIZE);
    assert_non_null (strstr (err.text, "are too many"));
    assert_int_equal (attn_attention_forward (&a, NULL, &err), ATTN_E_SIZE);
  }
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (every_allocation),
                                     cmocka_unit_test (sizes_that_wrap)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
