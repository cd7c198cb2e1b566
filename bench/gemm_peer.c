/* The two matrix products of attention and nothing else: S = Q*K', Y = S*V, in memory that is
 * allocated once.  What plain BLAS could reach at best.
 * Reads lines `N d bytes count` (bytes 4 or 8 an element), answers each with the seconds of one of
 * COUNT calls. */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The memory of one size: Q, K, V and Y are N-by-d, S is N-by-N. */
typedef struct {
  int N, d, bytes;
  void *q, *k, *v, *y, *s;
} problem;

static void problem_free (problem *p)
{
  free (p->q);
  free (p->k);
  free (p->v);
  free (p->y);
  free (p->s);
  *p = (problem){0};
}

/* matrix_create -- COUNT numbers of either type in [-1, 1). */
static void *matrix_create (size_t count, int bytes)
{
  void *data = malloc (count * (size_t)bytes);
  unsigned state = 1;
  for (size_t i = 0; data != NULL && i < count; i++) {
    state = state * 1664525u + 1013904223u;
    double x = (double)state / 2147483648.0 - 1.0;
    if (bytes == 4)
      ((float *)data)[i] = (float)x;
    else
      ((double *)data)[i] = x;
  }
  return data;
}

static int problem_create (problem *p, int N, int d, int bytes)
{
  size_t n = (size_t)N, vectors = n * (size_t)d;
  problem_free (p);
  p->q = matrix_create (vectors, bytes);
  p->k = matrix_create (vectors, bytes);
  p->v = matrix_create (vectors, bytes);
  p->y = matrix_create (vectors, bytes);
  p->s = matrix_create (n * n, bytes);
  p->N = N;
  p->d = d;
  p->bytes = bytes;
  return p->q != NULL && p->k != NULL && p->v != NULL && p->y != NULL && p->s != NULL;
}

static void two_products (const problem *p)
{
  int N = p->N, d = p->d;
  if (p->bytes == 4) {
    cblas_sgemm (CblasColMajor, CblasNoTrans, CblasTrans, N, N, d, 1.0f, p->q, N, p->k, N, 0.0f,
                 p->s, N);
    cblas_sgemm (CblasColMajor, CblasNoTrans, CblasNoTrans, N, d, N, 1.0f, p->s, N, p->v, N, 0.0f,
                 p->y, N);
  } else {
    cblas_dgemm (CblasColMajor, CblasNoTrans, CblasTrans, N, N, d, 1.0, p->q, N, p->k, N, 0.0, p->s,
                 N);
    cblas_dgemm (CblasColMajor, CblasNoTrans, CblasNoTrans, N, d, N, 1.0, p->s, N, p->v, N, 0.0,
                 p->y, N);
  }
}

int main (void)
{
  problem p = {0};
  int N, d, bytes, count;
  puts ("ready");
  fflush (stdout);
  while (scanf ("%d %d %d %d", &N, &d, &bytes, &count) == 4) {
    if ((N != p.N || d != p.d || bytes != p.bytes) && !problem_create (&p, N, d, bytes))
      break;
    double start = now ();
    for (int i = 0; i < count; i++)
      two_products (&p);
    printf ("%.9g\n", (now () - start) / count);
    fflush (stdout);
  }
  problem_free (&p);
  return 0;
}
