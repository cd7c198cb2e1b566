#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* How often a thread looks for news before it sleeps: some 0.1 ms, more than a pass spends between
 * two products.  Waking a sleeper takes as long as a small product. */
enum { LOOKS = 250 };

/* threads_from_environment -- value of NAME when it is a whole number from 1, else 0. */
static int threads_from_environment (const char *name)
{
  const char *text = getenv (name);
  if (text == NULL || *text == '\0')
    return 0;
  char *end;
  long value = strtol (text, &end, 10);
  return (*end == '\0' && value >= 1 && value <= PARALLEL_THREADS_MAX) ? (int)value : 0;
}

static int threads_of_machine (void)
{
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return CPU_COUNT (&set);
#endif
  long online = sysconf (_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

int parallel_threads (const attn_run *run)
{
  int threads = run != NULL ? run->threads : 0;
  if (threads <= 0)
    threads = threads_from_environment ("ATTN_NUM_THREADS");
  if (threads <= 0)
    threads = threads_from_environment ("OMP_NUM_THREADS");
  if (threads <= 0)
    threads = threads_of_machine ();
  return threads < PARALLEL_THREADS_MAX ? threads : PARALLEL_THREADS_MAX;
}

/* take_item -- index of the next item, or `items` when nothing is left to do. */
static size_t take_item (parallel_team *team)
{
  if (atomic_load_explicit (&team->stop, memory_order_relaxed))
    return team->items;
  size_t item = atomic_fetch_add_explicit (&team->next, 1, memory_order_relaxed);
  return item < team->items ? item : team->items;
}

/* news -- whether there is something to do for a worker that has seen round DONE. */
static bool news (parallel_team *team, unsigned done, unsigned *round)
{
  *round = atomic_load (&team->round);
  return atomic_load (&team->closing) || (*round % 2 == 1 && *round != done);
}

/* wait_for_round -- the number of an open round other than DONE; an even number: the team ends. */
static unsigned wait_for_round (parallel_team *team, unsigned done)
{
  unsigned round;
  for (int look = 0; look < LOOKS; look++) {
    if (news (team, done, &round))
      return atomic_load (&team->closing) ? 0 : round;
    sched_yield ();
  }
  pthread_mutex_lock (&team->lock);
  atomic_fetch_add (&team->asleep, 1);
  while (!news (team, done, &round))
    pthread_cond_wait (&team->opened, &team->lock);
  atomic_fetch_sub (&team->asleep, 1);
  pthread_mutex_unlock (&team->lock);
  return atomic_load (&team->closing) ? 0 : round;
}

/* A worker says that it is inside before it looks whether the round is still open, and the caller
 * closes the round before it looks who is inside: one of them sees the other.  So nobody waits for
 * a worker that the system has not run yet. */
static void *worker_main (void *argument)
{
  parallel_worker *self = argument;
  parallel_team *team = self->team;
  for (unsigned round = 0; (round = wait_for_round (team, round)) % 2 == 1;) {
    atomic_fetch_add (&team->inside, 1);
    if (atomic_load (&team->round) == round && self->thread < team->threads)
      for (size_t item; (item = take_item (team)) < team->items;)
        team->item (team->context, item, self->thread);
    if (atomic_fetch_sub (&team->inside, 1) == 1 && atomic_load (&team->caller_asleep)) {
      pthread_mutex_lock (&team->lock);
      pthread_cond_signal (&team->left);
      pthread_mutex_unlock (&team->lock);
    }
  }
  return NULL;
}

/* start_workers -- up to COUNT in all, with signals blocked, so that the interpreter's handlers run
 * in its own threads.  SIGBUS stays: blocked, one that the thread itself raises ends the process
 * without asking base/fault_guard.h. */
static void start_workers (parallel_team *team, int count)
{
  sigset_t all, before;
  sigfillset (&all);
  sigdelset (&all, SIGBUS);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  for (; team->started < count; team->started++) {
    parallel_worker *worker = &team->workers[team->started];
    *worker = (parallel_worker){.team = team, .thread = team->started + 1};
    if (pthread_create (&worker->handle, NULL, worker_main, worker) != 0)
      break;
  }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

attn_run parallel_team_open (parallel_team *team, const attn_run *run)
{
  attn_run with = run != NULL ? *run : (attn_run){0};
  team->open = with.team == NULL;
  if (!team->open)
    return with;
  team->started = 0;
  atomic_init (&team->round, 0);
  atomic_init (&team->inside, 0);
  atomic_init (&team->asleep, 0);
  atomic_init (&team->closing, false);
  atomic_init (&team->caller_asleep, false);
  pthread_mutex_init (&team->lock, NULL);
  pthread_cond_init (&team->opened, NULL);
  pthread_cond_init (&team->left, NULL);
  with.team = team;
  return with;
}

static void wake_workers (parallel_team *team)
{
  pthread_mutex_lock (&team->lock);
  pthread_cond_broadcast (&team->opened);
  pthread_mutex_unlock (&team->lock);
}

void parallel_team_close (parallel_team *team)
{
  if (!team->open)
    return;
  atomic_store (&team->closing, true);
  if (team->started > 0)
    wake_workers (team);
  for (int t = 0; t < team->started; t++)
    pthread_join (team->workers[t].handle, NULL);
  pthread_cond_destroy (&team->left);
  pthread_cond_destroy (&team->opened);
  pthread_mutex_destroy (&team->lock);
  team->open = false;
}

static void open_round (parallel_team *team, size_t items, int threads, parallel_item *item,
                        void *context)
{
  team->items = items;
  team->threads = threads;
  team->item = item;
  team->context = context;
  atomic_init (&team->next, 0);
  atomic_init (&team->stop, false);
  atomic_fetch_add (&team->round, 1);
  if (atomic_load (&team->asleep) > 0)
    wake_workers (team);
  if (team->started < threads - 1)
    start_workers (team, threads - 1);
}

/* close_round -- returns when no worker is inside. */
static void close_round (parallel_team *team)
{
  atomic_fetch_add (&team->round, 1);
  for (int look = 0; look < LOOKS && atomic_load (&team->inside) > 0; look++)
    sched_yield ();
  if (atomic_load (&team->inside) == 0)
    return;
  pthread_mutex_lock (&team->lock);
  atomic_store (&team->caller_asleep, true);
  while (atomic_load (&team->inside) > 0)
    pthread_cond_wait (&team->left, &team->lock);
  atomic_store (&team->caller_asleep, false);
  pthread_mutex_unlock (&team->lock);
}

/* caller_items -- asks before each item, so that the workers cannot finish before the first
 * time. */
static attn_status caller_items (parallel_team *team, const attn_run *run, attn_error *err)
{
  for (size_t item;;) {
    if (run->interrupted != NULL && run->interrupted (run->interrupted_data) != 0) {
      atomic_store_explicit (&team->stop, true, memory_order_relaxed);
      return attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
    }
    item = take_item (team);
    if (item >= team->items)
      return ATTN_OK;
    team->item (team->context, item, 0);
  }
}

attn_status parallel_for (size_t items, int threads, parallel_item *item, void *context,
                          const attn_run *run, attn_error *err)
{
  if (threads > PARALLEL_THREADS_MAX)
    threads = PARALLEL_THREADS_MAX;
  if ((size_t)threads > items)
    threads = (int)items;
  parallel_team own;
  const attn_run with = parallel_team_open (&own, run);
  open_round (with.team, items, threads, item, context);
  attn_status status = caller_items (with.team, &with, err);
  close_round (with.team);
  parallel_team_close (&own);
  return status;
}
