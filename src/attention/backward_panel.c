#include "attention/backward_panel.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

enum {
  BLOCK_KEYS = 192, /* as in the forward pass: a block of scores stays in the cache */
  LANES_MAX = 64    /* of any kernel */
};

/* Visible keys whose scores lie in the strip from row `at` on. */
typedef struct backward_segment {
  kern_range keys;
  size_t at;
} segment;

/* Cuts memory into parts on cache lines; only counts while `next` is NULL. */
typedef struct {
  char *next;
  size_t total; /* SIZE_MAX after an overflow */
} cutter;

static char *cut (cutter *c, size_t a, size_t b, size_t size)
{
  size_t bytes;
  char *start = c->next;
  if (!size_mul (a, b, &bytes) || !size_mul (bytes, size, &bytes) ||
      !size_add (bytes, ATTN_ALIGNMENT - 1, &bytes) ||
      !size_add (c->total, bytes / ATTN_ALIGNMENT * ATTN_ALIGNMENT, &c->total)) {
    c->total = SIZE_MAX;
    return NULL;
  }
  if (c->next != NULL)
    c->next += bytes / ATTN_ALIGNMENT * ATTN_ALIGNMENT;
  return start;
}

static size_t block_keys (const backward_plan *plan)
{
  return BLOCK_KEYS / plan->kernel->columns * plan->kernel->columns;
}

size_t backward_scratch_lay_out (const backward_plan *plan, backward_scratch *s, char *memory)
{
  const attn_attention *a = plan->call;
  const size_t lanes = plan->kernel->lanes, row = lanes * plan->element, Nk = a->Nk;
  cutter c = {.next = memory};
  s->k = cut (&c, Nk, a->d, plan->element);
  s->k_columns = cut (&c, Nk, a->d, plan->element);
  s->v = cut (&c, Nk, a->dv, plan->element);
  s->strip = cut (&c, Nk, 1, row);
  s->product = cut (&c, Nk, 1, row);
  s->bias = cut (&c, block_keys (plan), 1, row);
  s->q = cut (&c, a->d, 1, row);
  s->q_rows = cut (&c, plan->d_width, 1, row);
  s->dy = cut (&c, a->dv, 1, row);
  s->dy_rows = cut (&c, plan->dv_width, 1, row);
  s->dq = cut (&c, a->d, 1, row);
  s->max = cut (&c, 1, 1, row);
  s->sum = cut (&c, 1, 1, row);
  s->factor = cut (&c, 1, 1, row);
  s->ones = cut (&c, 1, 1, row);
  s->ignored = cut (&c, 1, 1, row);
  s->range = (kern_range *)cut (&c, lanes, 1, sizeof *s->range);
  s->segments = (segment *)cut (&c, size_ceil_div (Nk, block_keys (plan)), 1, sizeof *s->segments);
  return c.total;
}

static void fill_ones (const backward_plan *plan, char *ones)
{
  for (size_t r = 0; r < plan->kernel->lanes; r++)
    if (plan->call->type == ATTN_F32)
      ((float *)ones)[r] = 1;
    else
      ((double *)ones)[r] = 1;
}

void backward_pack (const backward_plan *plan, const kern_page *page, backward_scratch *s)
{
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  kern_matrix k = page->k, v = page->v;
  kernel->pack (s->k, k.data, k.col, k.row, a->d, a->Nk, kernel->columns);
  kernel->pack (s->v, v.data, v.col, v.row, a->dv, a->Nk, kernel->columns);
  kernel->pack (s->k_columns, k.data, k.row, k.col, a->Nk, a->d, kernel->columns);
  s->largest_k = kernel->largest (s->k, a->Nk * a->d);
  fill_ones (plan, s->ones);
  memset (s->ignored, 0, kernel->lanes * plan->element);
}

static kern_matrix from_row (const backward_plan *plan, kern_matrix m, size_t i0)
{
  if (m.data != NULL)
    m.data = (char *)m.data + i0 * m.row * plan->element;
  return m;
}

/* fill_strip -- exp (score - max) of all visible keys, blocks that are wholly hidden left out, and
 * dY*V' of the same keys; returns the number of segments. */
static size_t fill_strip (const backward_plan *plan, const kern_page *page, const panel_view *view,
                          backward_scratch *s, size_t *keys_in_strip)
{
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  const size_t size = plan->element, row = kernel->lanes * size, step = block_keys (plan);
  const kern_range none = {0, 0};
  size_t count = 0, at = 0;
  for (size_t j = view->any.lo / step * step; j < view->any.hi; j += step) {
    kern_range plain;
    kern_range keys = panel_keys (view, a, kernel, (kern_range){j, size_min (j + step, a->Nk)});
    if (keys.lo >= keys.hi)
      continue;
    kern_visibility visibility = panel_hide (view, a, page, kernel, keys, s->bias, &plain);
    if (visibility == KERN_HIDDEN)
      continue;
    size_t n = keys.hi - keys.lo;
    kernel->scores (s->q, s->k + keys.lo * a->d * size, a->d, n,
                    visibility == KERN_BIASED ? s->bias : NULL, plain, s->strip + at * row, s->max);
    kernel->scores (s->dy, s->v + keys.lo * a->dv * size, a->dv, n, NULL, none,
                    s->product + at * row, s->ignored);
    s->segments[count++] = (segment){keys, at};
    at += n;
  }
  kernel->exponentials (s->strip, at, s->max, s->max, s->factor, s->sum);
  *keys_in_strip = at;
  return count;
}

/* write_dq -- dQ of the panel; marks rows whose result is not finite in FAILED. */
static void write_dq (const backward_plan *plan, const panel_view *view, const backward_scratch *s,
                      size_t segments, kern_matrix dq, unsigned char *failed)
{
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  const size_t row = kernel->lanes * plan->element;
  unsigned char not_finite[LANES_MAX];
  if (dq.data == NULL)
    return;
  memset (s->dq, 0, a->d * row);
  for (size_t n = 0; n < segments; n++) {
    segment g = s->segments[n];
    kernel->average (s->product + g.at * row, g.keys.hi - g.keys.lo, s->k_columns, a->Nk, g.keys.lo,
                     a->d, s->ones, s->dq);
  }
  kernel->finish (s->dq, s->ones, view->rows, a->d, dq, not_finite);
  for (size_t r = 0; r < view->rows; r++)
    failed[r] |= not_finite[r];
}

void backward_panel (const backward_plan *plan, const kern_page *page, const kern_page *gradient,
                     size_t i0, backward_scratch *s, char *dk, char *dv, unsigned char *failed)
{
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  const size_t size = plan->element, row = kernel->lanes * size;
  panel_view view = {.i0 = i0, .rows = size_min (kernel->lanes, a->Nq - i0), .range = s->range};
  const kern_matrix q = from_row (plan, page->q, i0), dy = from_row (plan, gradient->y, i0);
  unsigned char bad[LANES_MAX];

  double largest_q = kernel->pack_queries (s->q, q, view.rows, a->d, a->scale);
  if (!scores_in_range (a, largest_q, s->largest_k)) {
    memset (failed + i0, 1, view.rows);
    return;
  }
  kernel->pack_queries (s->dy, dy, view.rows, a->dv, 1);
  kernel->start (s->max, s->sum, s->dq, 0);
  panel_see (&view, a);
  size_t keys, segments = fill_strip (plan, page, &view, s, &keys);
  plan->backward->differences (s->strip, s->product, keys, s->sum, a->scale, bad);
  write_dq (plan, &view, s, segments, from_row (plan, gradient->q, i0), bad);
  memcpy (failed + i0, bad, view.rows);
  plan->backward->drop (s->strip, keys, bad);
  plan->backward->drop (s->product, keys, bad);

  plan->backward->pack_rows (s->q_rows, q, view.rows, a->d, bad);
  plan->backward->pack_rows (s->dy_rows, dy, view.rows, a->dv, bad);
  for (size_t n = 0; n < segments; n++) {
    segment g = s->segments[n];
    size_t count = g.keys.hi - g.keys.lo;
    plan->backward->scatter (s->product + g.at * row, count, s->q_rows, plan->d_width,
                             dk + g.keys.lo * plan->d_width * size);
    plan->backward->scatter (s->strip + g.at * row, count, s->dy_rows, plan->dv_width,
                             dv + g.keys.lo * plan->dv_width * size);
  }
}
