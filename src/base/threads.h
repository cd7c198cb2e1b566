/* A few workers that share a list of items; no pool and no state between calls. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stddef.h>
#include "attn/status.h"

/* Works on one item.  THREAD counts from 0 (the caller's) to threads - 1: the index of its scratch
 * memory.  Must not fail, and should take well under half a second (interrupts wait for it). */
typedef void parallel_item (void *context, size_t item, int thread);

/* parallel_threads -- workers that RUN asks for (see attn_run), at least 1 and at most
 * PARALLEL_THREADS_MAX. */
enum { PARALLEL_THREADS_MAX = 256 };
int parallel_threads (const attn_run *run);

/* parallel_for -- calls ITEM for 0 to items - 1, handed out in that order to THREADS workers of
 * which the caller is one; returns when all are done.  Workers see no signals.  Fewer workers run
 * when the system gives no more threads.
 * Errors: ATTN_E_INTERRUPTED; some items were not started then. */
attn_status parallel_for (size_t items, int threads, parallel_item *item, void *context,
                          const attn_run *run, attn_error *err);

#endif
