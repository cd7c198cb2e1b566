/* Workers that share items: each item once, on a thread that was allowed,
 * whoever keeps the team. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/threads.h"

enum { ITEMS = 200, THREADS = 4 };

typedef struct {
  atomic_int done[ITEMS];
  atomic_int beyond; /* items on a thread that was not asked for */
  int threads;
} tally;

static void count_item (void *context, size_t item, int thread)
{
  tally *t = context;
  atomic_fetch_add (&t->done[item], 1);
  if (thread < 0 || thread >= t->threads)
    atomic_fetch_add (&t->beyond, 1);
}

/* run_round -- ITEMS in one parallel_for; the caller asserts that each was done once. */
static void run_round (size_t items, int threads, const attn_run *run)
{
  tally t;
  memset (&t, 0, sizeof t);
  t.threads = threads;
  assert_int_equal (parallel_for (items, threads, count_item, &t, run, NULL), ATTN_OK);
  assert_int_equal (atomic_load (&t.beyond), 0);
  for (size_t i = 0; i < ITEMS; i++)
    assert_int_equal (atomic_load (&t.done[i]), i < items ? 1 : 0);
}

static void each_item_once (void **state)
{
  (void)state;
  for (int threads = 1; threads <= THREADS; threads++)
    for (size_t items = 0; items <= ITEMS; items += 25)
      run_round (items, threads, NULL);
}

static void rounds_of_a_team (void **state)
{
  (void)state;
  parallel_team team;
  const attn_run with = parallel_team_open (&team, NULL);
  for (int round = 0; round < 3000; round++)
    run_round ((size_t)round % ITEMS, 1 + round % THREADS, &with);
  parallel_team_close (&team);
}

/* The workers sleep between rounds, and the caller sleeps while the last item is worked on. */
static void sleep_item (void *context, size_t item, int thread)
{
  if (item > 0)
    nanosleep (&(struct timespec){.tv_nsec = 20000000}, NULL);
  count_item (context, item, thread);
}

static void sleeping_workers (void **state)
{
  (void)state;
  parallel_team team;
  const attn_run with = parallel_team_open (&team, NULL);
  for (int round = 0; round < 4; round++) {
    tally t;
    memset (&t, 0, sizeof t);
    t.threads = 2;
    assert_int_equal (parallel_for (2, 2, sleep_item, &t, &with, NULL), ATTN_OK);
    assert_int_equal (atomic_load (&t.done[0]) + atomic_load (&t.done[1]), 2);
    nanosleep (&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  parallel_team_close (&team);
}

static void team_of_a_team (void **state)
{
  (void)state;
  parallel_team outer, inner;
  const attn_run with = parallel_team_open (&outer, NULL);
  run_round (ITEMS, 2, &with);
  const attn_run same = parallel_team_open (&inner, &with);
  assert_ptr_equal (same.team, &outer);
  run_round (ITEMS, 3, &same);
  parallel_team_close (&inner);
  run_round (ITEMS, 2, &with);
  parallel_team_close (&outer);
}

static int after_some (void *data)
{
  return --*(int *)data < 0;
}

static void interrupted (void **state)
{
  (void)state;
  parallel_team team;
  const attn_run kept = parallel_team_open (&team, NULL);
  for (int left = 0; left < 3; left++)
    for (int threads = 1; threads <= 2; threads++) {
      int polls = left;
      tally t;
      memset (&t, 0, sizeof t);
      t.threads = threads;
      attn_run run = kept;
      run.interrupted = after_some;
      run.interrupted_data = &polls;
      attn_error err;
      attn_status status = parallel_for (ITEMS, threads, count_item, &t, &run, &err);
      /* A second thread may be through with all items before the caller asks again. */
      if (threads == 1 || left == 0)
        assert_int_equal (status, ATTN_E_INTERRUPTED);
      for (size_t i = 0; i < ITEMS; i++)
        assert_true (atomic_load (&t.done[i]) <= 1);
      run_round (ITEMS, threads, &kept);
    }
  parallel_team_close (&team);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (each_item_once),   cmocka_unit_test (rounds_of_a_team),
      cmocka_unit_test (sleeping_workers), cmocka_unit_test (team_of_a_team),
      cmocka_unit_test (interrupted),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
