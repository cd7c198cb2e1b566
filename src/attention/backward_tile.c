#include "attention/backward_tile.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

/* Cuts memory into parts on cache lines; only counts while `next` is NULL. */
typedef struct {
  char *next;
  size_t total; /* SIZE_MAX after an overflow */
} cutter;

static char *cut (cutter *c, size_t count, size_t size)
{
  size_t bytes;
  char *start = c->next;
  if (!size_mul (count, size, &bytes) || !size_add (bytes, ATTN_ALIGNMENT - 1, &bytes) ||
      !size_add (c->total, bytes / ATTN_ALIGNMENT * ATTN_ALIGNMENT, &c->total)) {
    c->total = SIZE_MAX;
    c->next = NULL;
    return NULL;
  }
  if (c->next != NULL)
    c->next += bytes / ATTN_ALIGNMENT * ATTN_ALIGNMENT;
  return start;
}

static void lay_out_panel (const backward_plan *plan, backward_panel *p, cutter *c)
{
  const attn_attention *a = plan->call;
  const size_t row = plan->kernel->lanes * plan->element;
  const size_t blocks = size_ceil_div (a->Nk, plan->block_keys);
  p->strip = cut (c, a->Nk, row);
  p->product = cut (c, a->Nk, row);
  p->q = cut (c, a->d, row);
  p->dy = cut (c, a->dv, row);
  p->dq = cut (c, a->d, row);
  p->q_rows = cut (c, plan->d_width, row);
  p->dy_rows = cut (c, plan->dv_width, row);
  p->max = cut (c, 1, row);
  p->sum = cut (c, 1, row);
  p->mean = cut (c, 1, row);
  p->block_max = cut (c, blocks, row);
  p->keys = (kern_range *)cut (c, blocks, sizeof *p->keys);
  p->view.range = (kern_range *)cut (c, plan->kernel->lanes, sizeof *p->view.range);
}

size_t backward_scratch_lay_out (const backward_plan *plan, backward_scratch *s, char *memory)
{
  const attn_attention *a = plan->call;
  const size_t row = plan->kernel->lanes * plan->element;
  backward_panel uncut;
  cutter c = {.next = memory};
  s->page = SIZE_MAX;
  s->k = cut (&c, a->Nk, a->d * plan->element);
  s->k_columns = cut (&c, a->Nk, a->d * plan->element);
  s->v = cut (&c, a->Nk, a->dv * plan->element);
  s->bias = cut (&c, plan->block_keys, row);
  s->old_max = cut (&c, 1, row);
  s->factor = cut (&c, 1, row);
  s->ones = cut (&c, 1, row);
  s->ignored = cut (&c, 1, row);
  s->panel = (backward_panel *)cut (&c, plan->panels, sizeof *s->panel);
  s->shares = (kern_backward_share *)cut (&c, plan->panels, sizeof *s->shares);
  for (size_t n = 0; n < plan->panels; n++)
    lay_out_panel (plan, memory != NULL ? &s->panel[n] : &uncut, &c);
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

void backward_pack (const backward_plan *plan, const kern_page *page, size_t number,
                    backward_scratch *s)
{
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  const kern_matrix k = page->k, v = page->v;
  if (s->page == number)
    return;
  s->page = number;
  kernel->pack (s->k, k.data, k.col, k.row, a->d, a->Nk);
  kernel->pack (s->v, v.data, v.col, v.row, a->dv, a->Nk);
  if (plan->gradient->dq.data != NULL)
    kernel->pack (s->k_columns, k.data, k.row, k.col, a->Nk, a->d);
  s->largest_k = kernel->largest (s->k, a->Nk * a->d);
  s->largest_v = kernel->largest (s->v, a->Nk * a->dv);
  fill_ones (plan, s->ones);
  memset (s->ignored, 0, kernel->lanes * plan->element);
}

static kern_matrix from_row (const backward_plan *plan, kern_matrix m, size_t i0)
{
  if (m.data != NULL)
    m.data = (char *)m.data + i0 * m.row * plan->element;
  return m;
}

/* A tile at work. */
typedef struct {
  const backward_plan *plan;
  const kern_page *page, *gradient;
  backward_scratch *s;
  size_t panels;    /* of this tile */
  kern_range reach; /* keys that some panel sees, from a whole group on */
} tile;

static void open_panel (tile *t, backward_panel *p, size_t i0, unsigned char *failed)
{
  const backward_plan *plan = t->plan;
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  p->view.i0 = i0;
  p->view.rows = size_min (kernel->lanes, a->Nq - i0);
  p->failed = failed + i0;
  memset (p->failed, 0, p->view.rows);
  panel_see (&p->view, a);
  double largest_q = kernel->pack_queries (p->q, from_row (plan, t->page->q, i0), p->view.rows,
                                           a->d, a->scale * KERN_LOG2E);
  double largest_dy =
      kernel->pack_queries (p->dy, from_row (plan, t->gradient->y, i0), p->view.rows, a->dv, 1);
  kernel->start (p->max, p->sum, p->dq, a->d);
  memset (p->mean, 0, kernel->lanes * plan->element);
  if (!scores_in_range (a, largest_q, t->s->largest_k) ||
      !products_in_range (a, largest_dy, t->s->largest_v)) {
    memset (p->failed, BACKWARD_ROW, p->view.rows);
    p->view.any = (kern_range){a->Nk, 0};
  }
  t->reach.lo = size_min (t->reach.lo, p->view.any.lo / kernel->columns * kernel->columns);
  t->reach.hi = size_max (t->reach.hi, p->view.any.hi);
}

/* compare -- a block of scores, less the largest so far, as exponentials; dY*V' of the same keys;
 * and what both add to the sums of panel P. */
static void compare (const tile *t, backward_panel *p, size_t block)
{
  const backward_plan *plan = t->plan;
  const attn_attention *a = plan->call;
  const kern_attention *kernel = plan->kernel;
  const size_t size = plan->element, row = kernel->lanes * size, j = block * plan->block_keys;
  const kern_range none = {0, 0};
  kern_range plain, keys = panel_keys (&p->view, a, kernel,
                                       (kern_range){j, size_min (j + plan->block_keys, a->Nk)});
  p->keys[block] = none;
  if (keys.lo >= keys.hi)
    return;
  kern_visibility visibility = panel_hide (&p->view, a, t->page, kernel, keys, t->s->bias, &plain);
  if (visibility == KERN_HIDDEN)
    return;
  const size_t n = keys.hi - keys.lo;
  char *strip = p->strip + keys.lo * row, *product = p->product + keys.lo * row;
  memcpy (t->s->old_max, p->max, row);
  kernel->scores (p->q, t->s->k + keys.lo * a->d * size, a->d, n,
                  visibility == KERN_BIASED ? t->s->bias : NULL, plain, strip, p->max);
  kernel->scores (p->dy, t->s->v + keys.lo * a->dv * size, a->dv, n, NULL, none, product,
                  t->s->ignored);
  kernel->exponentials (strip, n, t->s->old_max, p->max, t->s->factor, p->sum);
  plan->backward->weigh (strip, product, n, t->s->factor, p->mean);
  memcpy (p->block_max + block * row, p->max, row);
  p->keys[block] = keys;
}

/* pass_back -- W and scale*dS of one block of keys in place of what `compare` left, and dQ. */
static void pass_back (const tile *t, backward_panel *p, size_t block)
{
  const backward_plan *plan = t->plan;
  const attn_attention *a = plan->call;
  const size_t row = plan->kernel->lanes * plan->element;
  const kern_range keys = p->keys[block];
  if (keys.lo >= keys.hi)
    return;
  const size_t n = keys.hi - keys.lo;
  char *product = p->product + keys.lo * row;
  plan->backward->differences (p->strip + keys.lo * row, product, n, p->block_max + block * row,
                               p->max, p->sum, p->mean, a->scale, p->bad);
  if (t->gradient->q.data != NULL)
    plan->kernel->average (product, n, t->s->k_columns, a->Nk, keys.lo, a->d, t->s->ones, p->dq);
}

/* share_keys -- sums += strip * rows of those panels that have the keys from J on, up to the next
 * key where that changes, which is returned. */
static size_t share_keys (const tile *t, size_t block, size_t j, size_t end, char *dk, char *dv)
{
  const backward_plan *plan = t->plan;
  const size_t row = plan->kernel->lanes * plan->element;
  kern_backward_share *shares = t->s->shares;
  const backward_panel *who[BACKWARD_PANELS_MAX];
  size_t count = 0;
  for (size_t n = 0; n < t->panels; n++) {
    const backward_panel *p = &t->s->panel[n];
    const kern_range keys = p->keys[block];
    if (keys.lo <= j && j < keys.hi) {
      end = size_min (end, keys.hi);
      who[count++] = p;
    } else if (j < keys.lo && keys.lo < keys.hi) {
      end = size_min (end, keys.lo);
    }
  }
  for (size_t n = 0; n < count; n++)
    shares[n] = (kern_backward_share){who[n]->product + j * row, who[n]->q_rows};
  if (count > 0 && dk != NULL)
    plan->backward->scatter (shares, count, end - j, plan->d_width, plan->call->Nk, j, dk);
  for (size_t n = 0; n < count; n++)
    shares[n] = (kern_backward_share){who[n]->strip + j * row, who[n]->dy_rows};
  if (count > 0 && dv != NULL)
    plan->backward->scatter (shares, count, end - j, plan->dv_width, plan->call->Nk, j, dv);
  return end;
}

/* share -- what all panels add to the sums of the keys of one block. */
static void share (const tile *t, size_t block, char *dk, char *dv)
{
  kern_range all = {SIZE_MAX, 0};
  for (size_t n = 0; n < t->panels; n++) {
    const kern_range keys = t->s->panel[n].keys[block];
    if (keys.lo < keys.hi) {
      all.lo = size_min (all.lo, keys.lo);
      all.hi = size_max (all.hi, keys.hi);
    }
  }
  for (size_t j = all.lo; j < all.hi;)
    j = share_keys (t, block, j, all.hi, dk, dv);
}

/* judge -- once all keys are compared: the rows that have a share, and their Q and dY for it. */
static void judge (const tile *t, backward_panel *p, bool dk, bool dv)
{
  const backward_plan *plan = t->plan;
  const attn_attention *a = plan->call;
  plan->kernel->check (p->sum, p->max, plan->kernel->lanes, p->bad);
  plan->backward->judge (p->sum, p->mean, p->bad);
  for (size_t r = 0; r < p->view.rows; r++)
    p->failed[r] |= p->bad[r] ? BACKWARD_ROW : 0;
  if (dk)
    plan->backward->pack_rows (p->q_rows, from_row (plan, t->page->q, p->view.i0), p->view.rows,
                               a->d, p->bad);
  if (dv)
    plan->backward->pack_rows (p->dy_rows, from_row (plan, t->gradient->y, p->view.i0),
                               p->view.rows, a->dv, p->bad);
}

/* write_dq -- marks the rows whose dQ is not finite. */
static void write_dq (const tile *t, backward_panel *p)
{
  const backward_plan *plan = t->plan;
  const kern_matrix dq = from_row (plan, t->gradient->q, p->view.i0);
  unsigned char not_finite[BACKWARD_LANES_MAX] = {0};
  if (dq.data == NULL)
    return;
  plan->kernel->finish (p->dq, t->s->ones, p->view.rows, plan->call->d, dq, not_finite);
  for (size_t r = 0; r < p->view.rows; r++)
    p->failed[r] |= not_finite[r] ? BACKWARD_ROW_DQ : 0;
}

/* Blocks are outermost, so that their keys, values and sums stay in the cache for all panels. */
void backward_tile (const backward_plan *plan, const kern_page *page, const kern_page *gradient,
                    size_t i0, backward_scratch *s, char *dk, char *dv, unsigned char *failed)
{
  const size_t lanes = plan->kernel->lanes, Nq = plan->call->Nq;
  tile t = {.plan = plan, .page = page, .gradient = gradient, .s = s};
  t.panels = size_min (plan->panels, size_ceil_div (Nq - i0, lanes));
  t.reach = (kern_range){plan->call->Nk, 0};
  for (size_t n = 0; n < t.panels; n++)
    open_panel (&t, &s->panel[n], i0 + n * lanes, failed);
  const size_t begin = t.reach.lo / plan->block_keys;
  const size_t end = size_ceil_div (t.reach.hi, plan->block_keys);
  for (size_t block = begin; block < end; block++)
    for (size_t n = 0; n < t.panels; n++)
      compare (&t, &s->panel[n], block);
  for (size_t n = 0; n < t.panels; n++)
    judge (&t, &s->panel[n], dk != NULL, dv != NULL);
  for (size_t block = begin; block < end; block++) {
    for (size_t n = 0; n < t.panels; n++)
      pass_back (&t, &s->panel[n], block);
    share (&t, block, dk, dv);
  }
  for (size_t n = 0; n < t.panels; n++)
    write_dq (&t, &s->panel[n]);
}
