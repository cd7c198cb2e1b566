#include "support/attention.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MARGIN = 5, MARK = 0x5a };

bool long_double_is_wide (void)
{
  volatile long double one = 1, sum = one + LDBL_EPSILON;
  return sum != one && LDBL_MANT_DIG > DBL_MANT_DIG;
}

uint32_t random_u32 (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

double random_real (uint64_t *state)
{
  return random_u32 (state) * 0x1p-31 - 1;
}

static size_t page_count (const size_t pages[ATTN_PAGE_DIMS])
{
  return pages[0] * pages[1] * pages[2];
}

static size_t offset_of (const test_matrix *m, size_t p, size_t i, size_t j)
{
  size_t at = i * m->view.row_stride + j * m->view.col_stride;
  for (int t = 0; t < ATTN_PAGE_DIMS; t++) {
    at += p % m->pages[t] * m->view.page_stride[t];
    p /= m->pages[t];
  }
  return at;
}

double matrix_get (const test_matrix *m, size_t p, size_t i, size_t j)
{
  const char *at = (const char *)m->view.data + offset_of (m, p, i, j) * m->size;
  float f;
  double d;
  if (m->size == sizeof f)
    return memcpy (&f, at, sizeof f), (double)f;
  if (m->size == sizeof d)
    return memcpy (&d, at, sizeof d), d;
  return *(const unsigned char *)at;
}

void matrix_set (const test_matrix *m, size_t p, size_t i, size_t j, double value)
{
  char *at = (char *)m->view.data + offset_of (m, p, i, j) * m->size;
  float f = (float)value;
  if (m->size == sizeof f)
    memcpy (at, &f, sizeof f);
  else if (m->size == sizeof value)
    memcpy (at, &value, sizeof value);
  else
    *(unsigned char *)at = value != 0;
}

static void matrix_create (test_matrix *m, size_t size, size_t rows, size_t columns,
                           const size_t pages[ATTN_PAGE_DIMS], layout_kind layout)
{
  *m = (test_matrix){.rows = rows, .columns = columns, .size = size};
  memcpy (m->pages, pages, sizeof m->pages);
  const size_t count = page_count (pages);
  size_t step; /* from page to page */
  switch (layout) {
  case LAYOUT_COLUMNS:
    m->view.row_stride = 1, m->view.col_stride = rows + 3, step = (rows + 3) * columns;
    break;
  case LAYOUT_COLUMNS_PACKED:
    m->view.row_stride = 1, m->view.col_stride = rows, step = rows * columns;
    break;
  case LAYOUT_ROWS:
    m->view.row_stride = columns * count, m->view.col_stride = 1, step = columns;
    break;
  default:
    m->view.row_stride = 2, m->view.col_stride = 2 * rows + 1, step = (2 * rows + 1) * columns + 1;
    break;
  }
  for (int t = 0; t < ATTN_PAGE_DIMS; t++) {
    m->view.page_stride[t] = step;
    step *= pages[t];
  }
  size_t last = offset_of (m, count > 0 ? count - 1 : 0, rows, columns);
  m->elements = last + 2 * MARGIN;
  m->memory = malloc (m->elements * size);
  assert_non_null (m->memory);
  m->view.data = m->memory + MARGIN * size;
  memset (m->memory, MARK, m->elements * size);
}

static void matrix_fill (const test_matrix *m, double range, uint64_t *state)
{
  for (size_t p = 0; p < page_count (m->pages); p++)
    for (size_t j = 0; j < m->columns; j++)
      for (size_t i = 0; i < m->rows; i++)
        matrix_set (m, p, i, j, range * random_real (state));
}

void problem_create (test_problem *t, attn_type type, const size_t sizes[4],
                     const size_t pages[ATTN_PAGE_DIMS], const size_t kv_pages[ATTN_PAGE_DIMS],
                     layout_kind layout, uint64_t *state)
{
  const size_t Nq = sizes[0], Nk = sizes[1], d = sizes[2], dv = sizes[3];
  const size_t size = type == ATTN_F32 ? sizeof (float) : sizeof (double);
  memset (t, 0, sizeof *t);
  attn_attention_init (&t->call, type, Nq, Nk, d, dv);
  memcpy (t->call.pages, pages, sizeof t->call.pages);
  memcpy (t->call.kv_pages, kv_pages, sizeof t->call.kv_pages);
  matrix_create (&t->q, size, Nq, d, pages, layout);
  matrix_create (&t->k, size, Nk, d, kv_pages, layout);
  matrix_create (&t->v, size, Nk, dv, kv_pages, layout);
  matrix_create (&t->y, size, Nq, dv, pages, layout);
  matrix_create (&t->w, size, Nq, Nk, pages, layout);
  matrix_fill (&t->q, 2, state);
  matrix_fill (&t->k, 2, state);
  matrix_fill (&t->v, 2, state);
  t->call.q = t->q.view;
  t->call.k = t->k.view;
  t->call.v = t->v.view;
  t->call.y = t->y.view;
  t->call.w = t->w.view;
}

void problem_free (test_problem *t)
{
  test_matrix *all[] = {&t->q, &t->k, &t->v, &t->y, &t->w, &t->mask};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++)
    free (all[n]->memory);
}

void problem_mask (test_problem *t, attn_mask_kind kind, mask_shape shape, uint64_t *state)
{
  size_t size = kind == ATTN_MASK_LOGICAL ? 1 : kind == ATTN_MASK_F32 ? 4 : 8;
  layout_kind layout = random_u32 (state) % LAYOUTS;
  matrix_create (&t->mask, size, t->call.Nq, t->call.Nk, t->call.pages, layout);
  if (shape == MASK_ONE_ROW)
    t->mask.view.row_stride = 0;
  if (shape == MASK_ONE_COLUMN)
    t->mask.view.col_stride = 0;
  if (shape == MASK_ONE_PAGE)
    memset (t->mask.view.page_stride, 0, sizeof t->mask.view.page_stride);
  /* Once mostly visible, once mostly hidden, with whole blocks of one kind. */
  const uint32_t hidden = random_u32 (state) % 5;
  const size_t stretch = 1 + random_u32 (state) % 40;
  for (size_t p = 0; p < page_count (t->mask.pages); p++)
    for (size_t j = 0; j < t->call.Nk; j += stretch)
      for (size_t i = 0; i < t->call.Nq; i++) {
        bool see = random_u32 (state) % 4 >= hidden;
        double value = kind == ATTN_MASK_LOGICAL ? see : see ? 3 * random_real (state) : -INFINITY;
        for (size_t s = j; s < j + stretch && s < t->call.Nk; s++)
          matrix_set (&t->mask, p, i, s, value);
      }
  t->call.mask = t->mask.view;
  t->call.mask_kind = kind;
}

bool problem_visible (const test_problem *t, size_t p, size_t i, size_t j)
{
  const attn_attention *a = &t->call;
  long double position = (long double)i + (long double)a->Nk - (long double)a->Nq;
  if (a->causal && (long double)j > position)
    return false;
  if (a->window_left != ATTN_WINDOW_NONE && (long double)j < position - (long double)a->window_left)
    return false;
  if (a->window_right != ATTN_WINDOW_NONE &&
      (long double)j > position + (long double)a->window_right)
    return false;
  if (a->mask_kind == ATTN_MASK_NONE)
    return true;
  double value = matrix_get (&t->mask, p, i, j);
  return a->mask_kind == ATTN_MASK_LOGICAL ? value != 0 : value != -INFINITY;
}

/* kv_page_of -- the page of K and V that page P of Q reads. */
static size_t kv_page_of (const attn_attention *a, size_t p)
{
  size_t kv = 0, step = 1;
  for (int t = 0; t < ATTN_PAGE_DIMS; t++) {
    size_t index = p % a->pages[t];
    p /= a->pages[t];
    kv += index / (a->pages[t] / a->kv_pages[t]) * step;
    step *= a->kv_pages[t];
  }
  return kv;
}

/* expected_row -- weights of one row by the formula; *SIZE gets the largest sum of the magnitudes
 * that make up a score.  NaN for visible keys of a row without weights, 0 for hidden keys. */
static void expected_row (const test_problem *t, size_t p, size_t i, long double *w,
                          long double *size)
{
  const attn_attention *a = &t->call;
  const size_t kv = kv_page_of (a, p);
  const long double largest = a->type == ATTN_F32 ? FLT_MAX : DBL_MAX;
  long double top = -INFINITY, sum = 0;
  bool undefined = false;
  for (size_t j = 0; j < a->Nk; j++) {
    if (!problem_visible (t, p, i, j))
      continue;
    long double dot = 0, magnitude = 0;
    for (size_t c = 0; c < a->d; c++) {
      long double term = (long double)matrix_get (&t->q, p, i, c) * matrix_get (&t->k, kv, j, c);
      dot += term;
      magnitude += fabsl (term);
    }
    w[j] = dot * a->scale;
    if (a->mask_kind == ATTN_MASK_F32 || a->mask_kind == ATTN_MASK_F64) {
      long double m = matrix_get (&t->mask, p, i, j);
      w[j] += isfinite (m) && fabsl (m) > largest ? copysignl (largest, m) : m;
    }
    undefined |= isnan (w[j]) || w[j] == INFINITY;
    top = fmaxl (top, w[j]);
    *size = fmaxl (*size, magnitude * fabsl ((long double)a->scale));
  }
  for (size_t j = 0; j < a->Nk; j++) {
    bool see = problem_visible (t, p, i, j);
    w[j] = !see ? 0 : undefined || top == -INFINITY ? NAN : expl (w[j] - top);
    sum += w[j];
  }
  for (size_t j = 0; j < a->Nk; j++)
    w[j] = w[j] == 0 ? 0 : w[j] / sum;
}

/* same -- equal within TOLERANCE, both NaN, or the same infinity. */
static bool same (double got, long double expected, double tolerance)
{
  if (isnan (expected) || isnan (got))
    return isnan (expected) && isnan (got);
  return (long double)got == expected || fabsl ((long double)got - expected) <= tolerance;
}

/* A score of d products is off by less than (d + 2)*eps*SIZE, SIZE the sum of their magnitudes (at
 * least 1, for the mask and the subtraction of the maximum); a weight by twice that (its own score
 * and the largest) plus 2 ulp of exp, and as much again for the sum over Nk terms. */
static double weight_tolerance (const attn_attention *a, long double size)
{
  double epsilon = a->type == ATTN_F32 ? FLT_EPSILON : DBL_EPSILON;
  double finite = isfinite (size) ? fmax ((double)size, 1) : 1;
  return epsilon * (4 * ((double)a->d + 2) * finite + (double)a->Nk + 8);
}

static void check_row (const test_problem *t, size_t p, size_t i, long double *w)
{
  const attn_attention *a = &t->call;
  const size_t kv = kv_page_of (a, p);
  long double size = 0;
  expected_row (t, p, i, w, &size);
  const double tolerance = weight_tolerance (a, size);
  for (size_t j = 0; j < a->Nk && a->w.data != NULL; j++)
    if (!same (matrix_get (&t->w, p, i, j), w[j], tolerance))
      fail_msg ("W(%zu,%zu) of page %zu is %.17g, not %.17Lg", i, j, p, matrix_get (&t->w, p, i, j),
                w[j]);
  for (size_t c = 0; c < a->dv && a->y.data != NULL; c++) {
    long double y = 0, largest = 0;
    for (size_t j = 0; j < a->Nk; j++)
      if (problem_visible (t, p, i, j)) {
        long double v = matrix_get (&t->v, kv, j, c);
        y += w[j] * v;
        largest = isfinite (v) ? fmaxl (largest, fabsl (v)) : largest;
      }
    if (!same (matrix_get (&t->y, p, i, c), y, tolerance * (double)largest))
      fail_msg ("Y(%zu,%zu) of page %zu is %.17g, not %.17Lg", i, c, p, matrix_get (&t->y, p, i, c),
                y);
  }
}

void problem_check (const test_problem *t)
{
  long double *w = malloc ((t->call.Nk + 1) * sizeof *w);
  assert_non_null (w);
  for (size_t p = 0; p < page_count (t->call.pages); p++)
    for (size_t i = 0; i < t->call.Nq; i++)
      check_row (t, p, i, w);
  free (w);
}

double problem_error (const test_problem *t)
{
  const attn_attention *a = &t->call;
  long double *w = malloc ((a->Nk + 1) * sizeof *w);
  assert_non_null (w);
  long double error = 0, largest = 0, size = 0;
  for (size_t i = 0; i < a->Nq; i++) {
    expected_row (t, 0, i, w, &size);
    for (size_t c = 0; c < a->dv; c++) {
      long double y = 0;
      for (size_t j = 0; j < a->Nk; j++)
        y += w[j] * matrix_get (&t->v, 0, j, c);
      error = fmaxl (error, fabsl (matrix_get (&t->y, 0, i, c) - y));
      largest = fmaxl (largest, fabsl (y));
    }
  }
  free (w);
  return (double)(error / largest);
}

/* assert_untouched -- the elements of M's memory that are not its own still hold the mark. */
static void assert_untouched (const test_matrix *m)
{
  char *own = calloc (m->elements, 1);
  assert_non_null (own);
  for (size_t p = 0; p < page_count (m->pages); p++)
    for (size_t i = 0; i < m->rows; i++)
      for (size_t j = 0; j < m->columns; j++)
        own[MARGIN + offset_of (m, p, i, j)] = 1;
  for (size_t at = 0; at < m->elements * m->size; at++)
    if (!own[at / m->size])
      assert_int_equal (m->memory[at], MARK);
  free (own);
}

void problem_run (test_problem *t, const attn_run *run)
{
  memset (t->y.memory, MARK, t->y.elements * t->y.size);
  memset (t->w.memory, MARK, t->w.elements * t->w.size);
  attn_error err = {{0}};
  attn_status status = attn_attention_forward (&t->call, run, &err);
  if (status != ATTN_OK)
    fail_msg ("%s: %s", attn_status_id (status), err.text);
  assert_untouched (&t->y);
  assert_untouched (&t->w);
}
