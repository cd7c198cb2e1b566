/* A few workers that share a list of items.  They live as long as one call of the core: there is
 * no pool and no state between calls. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "attn/status.h"

/* Works on one item.  THREAD counts from 0 (the caller's) to threads - 1: the index of its scratch
 * memory.  Must not fail, and should take well under half a second (interrupts wait for it). */
typedef void parallel_item (void *context, size_t item, int thread);

/* parallel_threads -- workers that RUN asks for (see attn_run), at least 1 and at most
 * PARALLEL_THREADS_MAX. */
enum { PARALLEL_THREADS_MAX = 256 };
int parallel_threads (const attn_run *run);

/* Workers that a computation of many steps keeps; lives on the stack of its function. */
typedef struct parallel_team parallel_team;

typedef struct {
  parallel_team *team;
  int thread;
  pthread_t handle;
} parallel_worker;

struct parallel_team {
  bool open;
  int started; /* workers that run */
  parallel_worker workers[PARALLEL_THREADS_MAX - 1];
  pthread_mutex_t lock;
  pthread_cond_t opened, left; /* a round was opened; the last worker has left one */
  atomic_uint round;           /* odd: open */
  atomic_int inside, asleep;   /* workers that may be at work; that have to be woken */
  atomic_bool closing, caller_asleep;

  /* The round: written by the caller while nobody is inside. */
  parallel_item *item;
  void *context;
  size_t items;
  int threads;
  atomic_size_t next;
  atomic_bool stop;
};

/* parallel_team_open -- RUN (NULL = the defaults) with TEAM: parallel_for calls that are given the
 * returned value start the workers once.  Where RUN has a team already, that one stays.
 * parallel_team_close -- ends the workers; TEAM must be open or have been refused. */
attn_run parallel_team_open (parallel_team *team, const attn_run *run);
void parallel_team_close (parallel_team *team);

/* parallel_for -- calls ITEM for 0 to items - 1, handed out in that order to THREADS workers of
 * which the caller is one; returns when all are done.  Workers see no signals but SIGBUS.  Fewer
 * run when the system gives no more threads.  ITEM must not call parallel_for with the same RUN.
 * Errors: ATTN_E_INTERRUPTED; some items were not started then. */
attn_status parallel_for (size_t items, int threads, parallel_item *item, void *context,
                          const attn_run *run, attn_error *err);

#endif
