/* Gradients of attention: every instruction set against the plain C rows, and those against central
 * differences of the forward pass. */
#define _DEFAULT_SOURCE /* setenv */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attn/attention.h"
#include "attn/gpt2.h"
#include "kernel/kern.h"

/* One problem in double or single: Q, K, V, dY and room for the gradients, column-major. */
typedef struct {
  attn_attention a;
  attn_attention_gradient g;
  size_t q_size, k_size, v_size, y_size; /* elements */
  void *memory[8];
} problem;

static void *numbers (problem *p, int slot, size_t count, attn_random *random)
{
  size_t element = p->a.type == ATTN_F32 ? sizeof (float) : sizeof (double);
  void *x = p->memory[slot] = malloc (count * element + 1);
  for (size_t i = 0; i < count; i++) {
    double value = random != NULL ? 4 * attn_random_uniform (random) - 2 : 99;
    if (p->a.type == ATTN_F32)
      ((float *)x)[i] = (float)value;
    else
      ((double *)x)[i] = value;
  }
  return x;
}

static problem build (attn_type type, size_t Nq, size_t Nk, size_t d, size_t dv, size_t heads,
                      size_t kv_heads, uint64_t seed)
{
  problem p = {0};
  attn_random random;
  attn_random_seed (&random, seed);
  attn_attention_init (&p.a, type, Nq, Nk, d, dv);
  p.a.pages[0] = heads;
  p.a.kv_pages[0] = kv_heads;
  attn_attention_pack_pages (&p.a);
  p.q_size = Nq * d * heads;
  p.k_size = Nk * d * kv_heads;
  p.v_size = Nk * dv * kv_heads;
  p.y_size = Nq * dv * heads;
  p.a.q.data = numbers (&p, 0, p.q_size, &random);
  p.a.k.data = numbers (&p, 1, p.k_size, &random);
  p.a.v.data = numbers (&p, 2, p.v_size, &random);
  p.g.dy = p.a.y;
  p.g.dq = p.a.q;
  p.g.dk = p.a.k;
  p.g.dv = p.a.v;
  p.g.dy.data = numbers (&p, 3, p.y_size, &random);
  p.g.dq.data = numbers (&p, 4, p.q_size, NULL);
  p.g.dk.data = numbers (&p, 5, p.k_size, NULL);
  p.g.dv.data = numbers (&p, 6, p.v_size, NULL);
  return p;
}

static void discard (problem *p)
{
  for (size_t i = 0; i < sizeof p->memory / sizeof *p->memory; i++)
    free (p->memory[i]);
}

/* add_mask -- every third key hidden from every second query, but for the logical kind. */
static void add_mask (problem *p, attn_mask_kind kind)
{
  size_t n = p->a.Nq * p->a.Nk;
  double *mask = malloc (n * sizeof *mask);
  p->memory[7] = mask;
  for (size_t i = 0; i < n; i++) {
    bool hidden = i % p->a.Nq % 2 == 0 && i / p->a.Nq % 3 == 0;
    if (kind == ATTN_MASK_LOGICAL)
      ((unsigned char *)mask)[i] = !hidden;
    else
      mask[i] = hidden ? -INFINITY : (double)(i % 5) / 4;
  }
  p->a.mask_kind = kind;
  p->a.mask = (attn_view){.data = mask, .row_stride = 1, .col_stride = p->a.Nq};
}

static double value (const problem *p, const attn_view *view, size_t i)
{
  return p->a.type == ATTN_F32 ? (double)((const float *)view->data)[i]
                               : ((const double *)view->data)[i];
}

static void run (problem *p, const char *isa, int threads)
{
  attn_run with = {.threads = threads};
  setenv ("ATTN_KERNEL", isa, 1);
  assert_int_equal (attn_attention_backward (&p->a, &p->g, &with, NULL), ATTN_OK);
  unsetenv ("ATTN_KERNEL");
}

/* Largest difference of two results relative to the largest expected number; NaN must agree. */
static double difference (const problem *p, const attn_view *got, const problem *q,
                          const attn_view *expected, size_t n)
{
  double worst = 0, scale = 1;
  for (size_t i = 0; i < n; i++) {
    double x = value (p, got, i), y = value (q, expected, i);
    assert_true (isnan (x) == isnan (y));
    worst = fmax (worst, isnan (x) ? 0 : fabs (x - y));
    scale = fmax (scale, isnan (y) ? 0 : fabs (y));
  }
  return worst / scale;
}

static void compare (problem *p, problem *expected)
{
  /* Sums of up to Nk or Nq terms, each with a relative error of some eps. */
  double eps = p->a.type == ATTN_F32 ? FLT_EPSILON : DBL_EPSILON;
  double limit = 32 * eps * sqrt ((double)(p->a.Nk + p->a.Nq + p->a.d + p->a.dv));
  assert_true (difference (p, &p->g.dq, expected, &expected->g.dq, p->q_size) < limit);
  assert_true (difference (p, &p->g.dk, expected, &expected->g.dk, p->k_size) < limit);
  assert_true (difference (p, &p->g.dv, expected, &expected->g.dv, p->v_size) < limit);
}

typedef void change (problem *p);

static void plain (problem *p)
{
  (void)p;
}

static void causal (problem *p)
{
  p->a.causal = 1;
}

static void window (problem *p)
{
  p->a.window_left = 3;
  p->a.window_right = 1;
}

static void logical (problem *p)
{
  add_mask (p, ATTN_MASK_LOGICAL);
}

static void additive_causal (problem *p)
{
  add_mask (p, ATTN_MASK_F64);
  p->a.causal = 1;
}

/* Numbers that no query may notice: key 0 is hidden from all by the window of the last queries. */
static void set (const problem *p, const attn_view *view, size_t i, double x)
{
  if (p->a.type == ATTN_F32)
    ((float *)view->data)[i] = (float)x;
  else
    ((double *)view->data)[i] = x;
}

static void visible_nan (problem *p)
{
  p->a.causal = 1;
  set (p, &p->a.v, p->a.Nk / 2, NAN);
  set (p, &p->a.k, p->a.Nk - 1, INFINITY);
}

static void overflowing (problem *p)
{
  set (p, &p->a.q, 0, p->a.type == ATTN_F32 ? 1e25 : 1e200);
  set (p, &p->a.k, 0, p->a.type == ATTN_F32 ? 1e25 : 1e200);
}

static void test_against_reference (void **state)
{
  (void)state;
  static const size_t sizes[][6] = {
      {1, 1, 1, 1, 1, 1},     {2, 3, 1, 2, 1, 1},   {7, 5, 3, 4, 2, 1},
      {16, 16, 16, 16, 3, 3}, {33, 67, 8, 5, 4, 2}, {70, 70, 64, 64, 2, 2},
      {5, 400, 17, 33, 1, 1}, {130, 3, 9, 1, 1, 1}, {300, 310, 20, 36, 1, 1}};
  static change *const changes[] = {plain,           causal,      window,     logical,
                                    additive_causal, visible_nan, overflowing};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
      for (int type = ATTN_F32; type <= ATTN_F64; type++)
        for (int isa = KERN_GENERIC; isa < KERN_ISAS; isa++) {
          const size_t *n = sizes[s];
          if (!kern_isa_runs ((kern_isa)isa))
            continue;
          problem got = build ((attn_type)type, n[0], n[1], n[2], n[3], n[4], n[5], 11);
          problem expected = build ((attn_type)type, n[0], n[1], n[2], n[3], n[4], n[5], 11);
          changes[c](&got);
          changes[c](&expected);
          run (&got, kern_isa_name ((kern_isa)isa), 2);
          run (&expected, "reference", 1);
          compare (&got, &expected);
          discard (&got);
          discard (&expected);
        }
}

/* A hidden key or value, whatever it holds, has no influence and gets no gradient. */
static void test_hidden_poison (void **state)
{
  (void)state;
  for (int isa = KERN_REFERENCE; isa < KERN_ISAS; isa++) {
    if (!kern_isa_runs ((kern_isa)isa))
      continue;
    problem clean = build (ATTN_F64, 20, 20, 4, 4, 1, 1, 5);
    problem poisoned = build (ATTN_F64, 20, 20, 4, 4, 1, 1, 5);
    unsigned char mask[20];
    memset (mask, 1, sizeof mask);
    mask[7] = 0;
    clean.a.mask_kind = poisoned.a.mask_kind = ATTN_MASK_LOGICAL;
    clean.a.mask = poisoned.a.mask = (attn_view){.data = mask, .row_stride = 0, .col_stride = 1};
    set (&poisoned, &poisoned.a.k, 7, NAN);
    set (&poisoned, &poisoned.a.v, 7, INFINITY);
    run (&clean, kern_isa_name ((kern_isa)isa), 1);
    run (&poisoned, kern_isa_name ((kern_isa)isa), 1);
    compare (&poisoned, &clean);
    for (size_t c = 0; c < 4; c++)
      assert_true (value (&poisoned, &poisoned.g.dk, 7 + 20 * c) == 0 &&
                   value (&poisoned, &poisoned.g.dv, 7 + 20 * c) == 0);
    discard (&clean);
    discard (&poisoned);
  }
}

/* Same input, same bits, for one thread and for three, where a page is cut into parts. */
static void test_same_bits (void **state)
{
  (void)state;
  problem one = build (ATTN_F32, 600, 600, 32, 32, 1, 1, 3);
  problem three = build (ATTN_F32, 600, 600, 32, 32, 1, 1, 3);
  run (&one, "", 1);
  run (&three, "", 3);
  assert_memory_equal (one.g.dq.data, three.g.dq.data, one.q_size * sizeof (float));
  assert_memory_equal (one.g.dk.data, three.g.dk.data, one.k_size * sizeof (float));
  assert_memory_equal (one.g.dv.data, three.g.dv.data, one.v_size * sizeof (float));
  discard (&one);
  discard (&three);
}

/* loss -- sum of dY .* Y, whose gradient by Y is dY. */
static double loss (problem *p)
{
  double sum = 0, *y = malloc (p->y_size * sizeof *y);
  p->a.y.data = y;
  assert_int_equal (attn_attention_forward (&p->a, NULL, NULL), ATTN_OK);
  for (size_t i = 0; i < p->y_size; i++)
    sum += y[i] * ((double *)p->g.dy.data)[i];
  p->a.y.data = NULL;
  free (y);
  return sum;
}

/* The central difference errs by about h^2 * third derivative + eps * loss / h, some 1e-9. */
static void check_differences (problem *p, attn_view *input, const attn_view *gradient, size_t n)
{
  const double h = 1e-5;
  double *x = input->data;
  for (size_t i = 0; i < n; i++) {
    double kept = x[i];
    x[i] = kept + h;
    double above = loss (p);
    x[i] = kept - h;
    double below = loss (p);
    x[i] = kept;
    assert_true (fabs ((above - below) / (2 * h) - ((double *)gradient->data)[i]) < 1e-7);
  }
}

static void test_differences (void **state)
{
  (void)state;
  static change *const changes[] = {plain, causal, window, logical, additive_causal};
  for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
    problem p = build (ATTN_F64, 6, 7, 3, 4, 4, 2, 8);
    changes[c](&p);
    p.a.scale = 0.7;
    run (&p, "", 1);
    check_differences (&p, &p.a.q, &p.g.dq, p.q_size);
    check_differences (&p, &p.a.k, &p.g.dk, p.k_size);
    check_differences (&p, &p.a.v, &p.g.dv, p.v_size);
    discard (&p);
  }
}

/* Gradients that are not wanted are not written, and no queries give zeros. */
static void test_unwanted_and_empty (void **state)
{
  (void)state;
  problem p = build (ATTN_F64, 5, 6, 3, 2, 1, 1, 8);
  attn_view dq = p.g.dq, dv = p.g.dv;
  p.g.dq.data = p.g.dv.data = NULL;
  run (&p, "", 1);
  assert_true (value (&p, &dq, 0) == 99 && value (&p, &dv, 0) == 99);
  assert_true (value (&p, &p.g.dk, 0) != 99);
  p.g.dv = dv;
  p.a.Nq = 0;
  run (&p, "", 1);
  for (size_t i = 0; i < p.k_size; i++)
    assert_true (value (&p, &p.g.dk, i) == 0);
  assert_true (value (&p, &dv, 11) == 0);
  discard (&p);
}

static int stop_now (void *data)
{
  (void)data;
  return 1;
}

static void test_interrupt (void **state)
{
  (void)state;
  problem p = build (ATTN_F64, 50, 50, 3, 2, 2, 2, 8);
  attn_run stopping = {.threads = 1, .interrupted = stop_now};
  assert_int_equal (attn_attention_backward (&p.a, &p.g, &stopping, NULL), ATTN_E_INTERRUPTED);
  discard (&p);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_against_reference),  cmocka_unit_test (test_hidden_poison),
      cmocka_unit_test (test_same_bits),          cmocka_unit_test (test_differences),
      cmocka_unit_test (test_unwanted_and_empty), cmocka_unit_test (test_interrupt),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
