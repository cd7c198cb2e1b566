/* Mapped files that may lose pages while they are read.
 *
 * When a file becomes shorter, or its disk fails, while it is mapped, reading the pages that are
 * gone raises SIGBUS, which ends the process; no check beforehand can prevent that.  A guarded
 * region becomes zeros instead, and remembers it.
 *
 * The handler of a signal belongs to the whole process, so this is the one place of the core that
 * keeps state outside its arguments: the list of the regions that are guarded now, and the handler
 * that was there before the first.  It is put back with the last, and gets every SIGBUS that no
 * guarded region explains. */
#ifndef BASE_FAULT_GUARD_H
#define BASE_FAULT_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A mapping; zero-filled but for `start` and `bytes`, and at one place while it is guarded. */
typedef struct guarded_region {
  void *start;      /* what mmap returned */
  size_t bytes;     /* as given to mmap */
  atomic_bool lost; /* a page was gone: the whole region is zeros now and stays so */

  int users; /* calls that guard it: the list's own */
  struct guarded_region *next;
} guarded_region;

/* fault_guard_enter -- REGION may be read from now on, by any thread that does not block SIGBUS.
 * Calls may nest and come from several threads.
 * fault_guard_leave -- ends what one fault_guard_enter began; REGION may be unmapped after the
 * last. */
void fault_guard_enter (guarded_region *region);
void fault_guard_leave (guarded_region *region);

#endif
