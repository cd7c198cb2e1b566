#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  parallel_item *item;
  void *context;
  size_t items;
  atomic_size_t next;
  atomic_bool stop;
} work;

typedef struct {
  work *work;
  int thread;
  pthread_t handle;
} worker;

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
static size_t take_item (work *w)
{
  if (atomic_load_explicit (&w->stop, memory_order_relaxed))
    return w->items;
  size_t item = atomic_fetch_add_explicit (&w->next, 1, memory_order_relaxed);
  return item < w->items ? item : w->items;
}

static void *worker_main (void *argument)
{
  worker *self = argument;
  work *w = self->work;
  for (size_t item; (item = take_item (w)) < w->items;)
    w->item (w->context, item, self->thread);
  return NULL;
}

/* start_workers -- starts up to COUNT workers with all signals blocked, so that the interpreter's
 * handlers run in its own threads; returns how many run. */
static int start_workers (worker *workers, int count, work *w)
{
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  int started = 0;
  while (started < count) {
    workers[started].work = w;
    workers[started].thread = started + 1;
    if (pthread_create (&workers[started].handle, NULL, worker_main, &workers[started]) != 0)
      break;
    started++;
  }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return started;
}

attn_status parallel_for (size_t items, int threads, parallel_item *item, void *context,
                          const attn_run *run, attn_error *err)
{
  work w = {.item = item, .context = context, .items = items};
  atomic_init (&w.next, 0);
  atomic_init (&w.stop, false);

  worker workers[PARALLEL_THREADS_MAX - 1];
  if (threads > PARALLEL_THREADS_MAX)
    threads = PARALLEL_THREADS_MAX;
  if ((size_t)threads > items)
    threads = (int)items;
  int started = threads > 1 ? start_workers (workers, threads - 1, &w) : 0;

  attn_status status = ATTN_OK;
  bool polled = run != NULL && run->interrupted != NULL;
  /* Asks before each item, so that the workers cannot finish before the first time. */
  for (;;) {
    if (polled && run->interrupted (run->interrupted_data) != 0) {
      atomic_store_explicit (&w.stop, true, memory_order_relaxed);
      status = attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
      break;
    }
    size_t i = take_item (&w);
    if (i >= items)
      break;
    item (context, i, 0);
  }
  for (int t = 0; t < started; t++)
    pthread_join (workers[t].handle, NULL);
  return status;
}
