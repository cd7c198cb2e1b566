/* Guarded regions: pages that are gone become zeros, and the handler of the process is only
 * borrowed. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/fault_guard.h"
#include "base/threads.h"

enum { PAGES = 8 };

static size_t page_bytes (void)
{
  return (size_t)sysconf (_SC_PAGESIZE);
}

/* A file of PAGES pages of ones without a name, and its mapping. */
typedef struct {
  int descriptor;
  guarded_region region;
} mapped_ones;

static void ones_create (mapped_ones *file)
{
  FILE *unnamed = tmpfile ();
  assert_non_null (unnamed);
  *file = (mapped_ones){.descriptor = dup (fileno (unnamed))};
  fclose (unnamed);
  file->region.bytes = PAGES * page_bytes ();
  char *ones = malloc (file->region.bytes);
  assert_non_null (ones);
  memset (ones, 1, file->region.bytes);
  assert_int_equal (write (file->descriptor, ones, file->region.bytes), file->region.bytes);
  free (ones);
  file->region.start = mmap (NULL, file->region.bytes, PROT_READ, MAP_PRIVATE, file->descriptor, 0);
  assert_true (file->region.start != MAP_FAILED);
}

static void ones_free (mapped_ones *file)
{
  munmap (file->region.start, file->region.bytes);
  close (file->descriptor);
}

static void ones_cut (const mapped_ones *file, size_t pages)
{
  assert_int_equal (ftruncate (file->descriptor, (off_t)(pages * page_bytes ())), 0);
}

static int page_value (const mapped_ones *file, size_t page)
{
  return *((const volatile char *)file->region.start + page * page_bytes ());
}

/* ---- a handler that was there before ---- */

static volatile sig_atomic_t passed_on;
static void *volatile passed_address;

/* Repairs like the guard, so that the test goes on. */
static void handler_before (int number, siginfo_t *info, void *context)
{
  (void)number, (void)context;
  passed_on++;
  passed_address = info->si_addr;
  if (info->si_code > 0) {
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(page_bytes () - 1);
    mmap ((void *)page, page_bytes (), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
}

static void install_before (void)
{
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = handler_before;
  sigaddset (&action.sa_mask, SIGUSR2);
  assert_int_equal (sigaction (SIGBUS, &action, NULL), 0);
  passed_on = 0;
}

static void assert_installed (int expected)
{
  struct sigaction now;
  assert_int_equal (sigaction (SIGBUS, NULL, &now), 0);
  bool ours = (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler_before &&
              sigismember (&now.sa_mask, SIGUSR2) == 1;
  assert_int_equal (ours, expected);
}

static void test_zeros (void **state)
{
  (void)state;
  install_before ();
  mapped_ones file;
  ones_create (&file);
  fault_guard_enter (&file.region);
  assert_installed (0);
  assert_int_equal (page_value (&file, PAGES - 1), 1);
  assert_int_equal (atomic_load (&file.region.lost), 0);
  ones_cut (&file, 2);
  assert_int_equal (page_value (&file, 1), 1);
  assert_int_equal (page_value (&file, 2), 0);
  assert_int_equal (atomic_load (&file.region.lost), 1);
  for (size_t page = 0; page < PAGES; page++) /* no mixture */
    assert_int_equal (page_value (&file, page), 0);
  fault_guard_leave (&file.region);
  assert_installed (1);
  assert_int_equal (passed_on, 0);
  ones_free (&file);
  signal (SIGBUS, SIG_DFL);
}

/* Two regions, guarded in pairs that nest and overlap: the handler stays until the last one. */
static void test_nested (void **state)
{
  (void)state;
  install_before ();
  mapped_ones a, b;
  ones_create (&a);
  ones_create (&b);
  fault_guard_enter (&a.region);
  fault_guard_enter (&b.region);
  fault_guard_enter (&a.region);
  fault_guard_leave (&a.region);
  ones_cut (&a, 0);
  assert_int_equal (page_value (&a, 3), 0); /* still guarded */
  assert_int_equal (page_value (&b, 3), 1);
  fault_guard_leave (&a.region);
  assert_installed (0);
  ones_cut (&b, 0);
  assert_int_equal (page_value (&b, 0), 0);
  fault_guard_leave (&b.region);
  assert_installed (1);
  assert_int_equal (passed_on, 0);
  assert_true (atomic_load (&a.region.lost) && atomic_load (&b.region.lost));
  ones_free (&a);
  ones_free (&b);
  signal (SIGBUS, SIG_DFL);
}

/* What the guard does not know goes to the handler that was there: faults elsewhere, signals that
 * were sent. */
static void test_passed_on (void **state)
{
  (void)state;
  install_before ();
  mapped_ones guarded, other;
  ones_create (&guarded);
  ones_create (&other);
  ones_cut (&other, 0);
  fault_guard_enter (&guarded.region);
  assert_int_equal (page_value (&other, 5), 0);
  assert_int_equal (passed_on, 1);
  assert_ptr_equal (passed_address, (char *)other.region.start + 5 * page_bytes ());
  raise (SIGBUS);
  assert_int_equal (passed_on, 2);
  assert_int_equal (atomic_load (&guarded.region.lost), 0);
  fault_guard_leave (&guarded.region);
  assert_installed (1);
  ones_free (&guarded);
  ones_free (&other);
  signal (SIGBUS, SIG_DFL);
}

/* With the default action a foreign fault, or a signal that was sent, still ends the process, and a
 * sent one that is ignored does not. */
static void check_child (void (*before) (int), int sent, int expected)
{
  mapped_ones guarded, other;
  ones_create (&guarded);
  ones_create (&other);
  ones_cut (&other, 0);
  fflush (NULL);
  pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0) {
    signal (SIGBUS, before);
    fault_guard_enter (&guarded.region);
    if (sent)
      raise (SIGBUS);
    else
      page_value (&other, 1);
    fault_guard_leave (&guarded.region);
    _exit (0);
  }
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (WIFSIGNALED (status) ? WTERMSIG (status) : 0, expected);
  ones_free (&guarded);
  ones_free (&other);
}

static void test_default_action (void **state)
{
  (void)state;
  check_child (SIG_DFL, 0, SIGBUS);
  check_child (SIG_DFL, 1, SIGBUS);
  check_child (SIG_IGN, 0, SIGBUS);
  check_child (SIG_IGN, 1, 0);
}

/* Another's handler that was put on top meanwhile stays. */
static void test_handler_on_top (void **state)
{
  (void)state;
  mapped_ones file;
  ones_create (&file);
  fault_guard_enter (&file.region);
  install_before ();
  fault_guard_leave (&file.region);
  assert_installed (1);
  ones_free (&file);
  signal (SIGBUS, SIG_DFL);
}

/* ---- threads ---- */

static void read_page (void *context, size_t item, int thread)
{
  (void)thread;
  if (item == 10)
    ones_cut (context, 0);
  for (size_t page = 0; page < PAGES; page++)
    page_value (context, page);
}

/* Workers of parallel_for fault at the same time; a signal that is blocked would end them. */
static void test_workers (void **state)
{
  (void)state;
  for (int round = 0; round < 50; round++) {
    mapped_ones file;
    ones_create (&file);
    fault_guard_enter (&file.region);
    assert_int_equal (parallel_for (200, 4, read_page, &file, NULL, NULL), ATTN_OK);
    fault_guard_leave (&file.region);
    assert_int_equal (atomic_load (&file.region.lost), 1);
    ones_free (&file);
  }
}

static void *guard_and_cut (void *argument)
{
  (void)argument;
  for (int round = 0; round < 200; round++) {
    mapped_ones file;
    ones_create (&file);
    fault_guard_enter (&file.region);
    ones_cut (&file, 1);
    for (size_t page = PAGES; page-- > 1;)
      if (page_value (&file, page) != 0)
        return argument;
    fault_guard_leave (&file.region);
    ones_free (&file);
  }
  return NULL;
}

/* Calls on several threads, each with its own region. */
static void test_concurrent_calls (void **state)
{
  (void)state;
  install_before ();
  pthread_t threads[4];
  for (int t = 0; t < 4; t++)
    assert_int_equal (pthread_create (&threads[t], NULL, guard_and_cut, threads), 0);
  for (int t = 0; t < 4; t++) {
    void *failed;
    assert_int_equal (pthread_join (threads[t], &failed), 0);
    assert_null (failed);
  }
  assert_installed (1);
  assert_int_equal (passed_on, 0);
  signal (SIGBUS, SIG_DFL);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_zeros),
      cmocka_unit_test (test_nested),
      cmocka_unit_test (test_passed_on),
      cmocka_unit_test (test_default_action),
      cmocka_unit_test (test_handler_on_top),
      cmocka_unit_test (test_workers),
      cmocka_unit_test (test_concurrent_calls),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
