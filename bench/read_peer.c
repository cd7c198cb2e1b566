/* How fast this machine reads a file that is in memory: the bound of everything that needs each
 * weight once.
 *   read_peer FILE THREADS
 * Answers each line it reads with the seconds that one sum over the mapped file takes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 64, LANES = 32 };

/* An equal part of the file, as integers: any bits can be added. */
typedef struct {
  const unsigned *data;
  size_t count;
  unsigned sum;
} part;

static void *add (void *argument)
{
  part *p = argument;
  unsigned lanes[LANES] = {0};
  for (size_t i = 0; i + LANES <= p->count; i += LANES)
    for (int l = 0; l < LANES; l++)
      lanes[l] += p->data[i + (size_t)l];
  p->sum = 0;
  for (int l = 0; l < LANES; l++)
    p->sum += lanes[l];
  return NULL;
}

static double now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile unsigned sink; /* so that the compiler does not leave the reading out */

static double read_once (const unsigned *data, size_t count, int threads)
{
  part parts[THREADS_MAX];
  pthread_t handles[THREADS_MAX];
  double start = now ();
  for (int i = 0; i < threads; i++) {
    parts[i] = (part){data + count / (size_t)threads * (size_t)i, count / (size_t)threads, 0};
    if (i > 0 && pthread_create (&handles[i], NULL, add, &parts[i]) != 0)
      exit (1);
  }
  add (&parts[0]);
  for (int i = 0; i < threads; i++) {
    if (i > 0)
      pthread_join (handles[i], NULL);
    sink = parts[i].sum;
  }
  return now () - start;
}

int main (int argc, char **argv)
{
  struct stat info;
  int threads = argc == 3 ? atoi (argv[2]) : 0;
  int file = argc == 3 ? open (argv[1], O_RDONLY) : -1;
  if (threads < 1 || threads > THREADS_MAX || file < 0 || fstat (file, &info) != 0) {
    fputs ("usage: read_peer FILE THREADS\n", stderr);
    return 1;
  }
  size_t bytes = (size_t)info.st_size;
  const unsigned *data = mmap (NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (data == MAP_FAILED)
    return 1;
  puts ("ready");
  fflush (stdout);
  char line[64];
  while (fgets (line, sizeof line, stdin) != NULL) {
    printf ("%.9g\n", read_once (data, bytes / sizeof *data, threads));
    fflush (stdout);
  }
  return 0;
}
