#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/fault_guard.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The state of the process that the header speaks of.  A flag to spin on, since a handler may take
 * no mutex; nobody reads guarded memory while holding it, so a fault cannot find its own thread
 * inside. */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static guarded_region *guarded;
static struct sigaction before;

static void lock (void)
{
  while (atomic_flag_test_and_set_explicit (&busy, memory_order_acquire))
    sched_yield ();
}

static void unlock (void)
{
  atomic_flag_clear_explicit (&busy, memory_order_release);
}

/* holds -- whether ADDRESS lies in REGION, up to the end of its last page. */
static bool holds (const guarded_region *region, const void *address)
{
  const uintptr_t page = (uintptr_t)sysconf (_SC_PAGESIZE);
  uintptr_t offset = (uintptr_t)address - (uintptr_t)region->start;
  return offset < (region->bytes + page - 1) / page * page;
}

/* replace -- the region with ADDRESS becomes zeros.  All of it, so that one fault is enough and no
 * mixture of old and new pages is left. */
static bool replace (const void *address)
{
  bool found = false;
  lock ();
  for (guarded_region *region = guarded; region != NULL && !found; region = region->next)
    if (holds (region, address) &&
        mmap (region->start, region->bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
              0) == region->start) {
      atomic_store (&region->lost, true);
      found = true;
    }
  unlock ();
  return found;
}

/* pass_on -- the signal goes where it would have gone without this file.  The default action is
 * taken by putting it in place: a fault happens again on return, a signal that was sent is sent
 * once more. */
static void pass_on (int number, siginfo_t *info, void *context)
{
  const bool sent = info->si_code <= 0;
  lock ();
  struct sigaction to = before;
  unlock ();
  if (to.sa_flags & SA_SIGINFO) {
    to.sa_sigaction (number, info, context);
  } else if (to.sa_handler == SIG_DFL || (to.sa_handler == SIG_IGN && !sent)) {
    to.sa_handler = SIG_DFL;
    sigaction (number, &to, NULL);
    if (sent)
      raise (number);
  } else if (to.sa_handler != SIG_IGN) {
    to.sa_handler (number);
  }
}

static void on_fault (int number, siginfo_t *info, void *context)
{
  const int kept = errno;
  if (info->si_code <= 0 || !replace (info->si_addr))
    pass_on (number, info, context);
  errno = kept;
}

static bool is_ours (const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_fault;
}

void fault_guard_enter (guarded_region *region)
{
  lock ();
  if (guarded == NULL) {
    sigaction (SIGBUS, NULL, &before);
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    ours.sa_mask = before.sa_mask;
    ours.sa_sigaction = on_fault;
    sigaction (SIGBUS, &ours, NULL);
  }
  if (region->users++ == 0) {
    region->next = guarded;
    guarded = region;
  }
  unlock ();
}

void fault_guard_leave (guarded_region *region)
{
  lock ();
  if (--region->users == 0) {
    guarded_region **place = &guarded;
    while (*place != region)
      place = &(*place)->next;
    *place = region->next;
  }
  if (guarded == NULL) {
    struct sigaction now;
    sigaction (SIGBUS, NULL, &now);
    if (is_ours (&now)) /* else another thread has put its own on top, which stays */
      sigaction (SIGBUS, &before, NULL);
  }
  unlock ();
}
