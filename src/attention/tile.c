#include "attention/tile.h"

#include <string.h>

#include "attention/panel.h"
#include "base/alloc.h"
#include "base/size.h"

/* A panel of a tile: its running state and what it may see. */
typedef struct {
  char *q, *out, *max, *sum; /* see kern_attention */
  char *strip;               /* its own for all keys where W is wanted, else shared */
  char *block_max;           /* [block][lanes], W only: max when the block was done */
  char *bias;                /* of one block of keys; its own where there is a mask, else shared */
  kern_visibility by_mask;   /* what the mask makes of that block */
  panel_view view;
} panel;

/* A tile at work. */
typedef struct {
  const attention_plan *plan;
  const kern_page *page;
  const packed_keys *keys;
  panel *panels;
  size_t panel_count;
  char *old_max, *factor;
  unsigned char *done; /* [block][panel], W only: the strip of that block is filled */
  kern_range reach;    /* keys that some panel sees, from a whole group on */
} tile;

/* Bytes of the parts of a tile's scratch memory, in the order in which they lie there. */
typedef struct {
  size_t panels, ranges, q, out, lanes, strip, block_max, bias, done, total;
} layout;

static size_t blocks_of (const attention_plan *plan)
{
  return size_ceil_div (plan->call->Nk, plan->block_keys);
}

/* part -- bytes of COUNT elements of SIZE, aligned; adds TIMES such parts to *TOTAL. */
static size_t part (size_t count, size_t size, size_t times, size_t *total)
{
  size_t bytes, all;
  if (!size_mul (count, size, &bytes) || !size_add (bytes, ATTN_ALIGNMENT - 1, &bytes) ||
      !size_mul (bytes, times, &all) || !size_add (*total, all, total)) {
    *total = SIZE_MAX;
    return 0;
  }
  return bytes / ATTN_ALIGNMENT * ATTN_ALIGNMENT;
}

static layout lay_out (const attention_plan *plan)
{
  const attn_attention *a = plan->call;
  const size_t lanes = plan->kernel->lanes, row = lanes * plan->element;
  const size_t count = plan->tile_rows / lanes, blocks = blocks_of (plan);
  const bool weights = a->w.data != NULL;
  const size_t block = size_min (plan->block_keys, a->Nk), columns = a->y.data != NULL ? a->dv : 0;
  layout l = {0};
  l.panels = part (count, sizeof (panel), 1, &l.total);
  l.ranges = part (lanes, sizeof (kern_range), count, &l.total);
  l.q = part (a->d, row, count, &l.total);
  l.out = part (columns, row, count, &l.total);
  l.lanes = part (1, row, 2 * count + 2, &l.total);
  l.strip = part (weights ? a->Nk : block, row, weights ? count : 1, &l.total);
  l.block_max = part (weights ? blocks : 0, row, count, &l.total);
  l.bias = part (block, row, a->mask_kind != ATTN_MASK_NONE ? count : 1, &l.total);
  l.done = part (weights ? blocks : 0, count, 1, &l.total);
  return l;
}

size_t tile_scratch (const attention_plan *plan)
{
  return lay_out (plan).total;
}

static char *take (char **free_part, size_t bytes)
{
  char *start = *free_part;
  *free_part += bytes;
  return start;
}

/* open_tile -- lays the tile out in SCRATCH. */
static void open_tile (tile *t, size_t i0, size_t rows, char *scratch)
{
  const attention_plan *plan = t->plan;
  const attn_attention *a = plan->call;
  const size_t lanes = plan->kernel->lanes, columns = plan->kernel->columns;
  const layout l = lay_out (plan);
  t->panels = (panel *)take (&scratch, l.panels);
  t->panel_count = size_ceil_div (rows, lanes);
  t->old_max = take (&scratch, l.lanes);
  t->factor = take (&scratch, l.lanes);
  t->done = (unsigned char *)take (&scratch, l.done);
  t->reach = (kern_range){a->Nk, 0};
  char *shared_strip = a->w.data == NULL ? take (&scratch, l.strip) : NULL;
  char *shared_bias = a->mask_kind == ATTN_MASK_NONE ? take (&scratch, l.bias) : NULL;
  for (size_t n = 0; n < t->panel_count; n++) {
    panel *p = &t->panels[n];
    p->view.i0 = i0 + n * lanes;
    p->view.rows = size_min (lanes, i0 + rows - p->view.i0);
    p->view.range = (kern_range *)take (&scratch, l.ranges);
    p->q = take (&scratch, l.q);
    p->out = take (&scratch, l.out);
    p->max = take (&scratch, l.lanes);
    p->sum = take (&scratch, l.lanes);
    p->strip = shared_strip != NULL ? shared_strip : take (&scratch, l.strip);
    p->bias = shared_bias != NULL ? shared_bias : take (&scratch, l.bias);
    p->block_max = take (&scratch, l.block_max);
    plan->kernel->start (p->max, p->sum, p->out, a->y.data != NULL ? a->dv : 0);
    panel_see (&p->view, a);
    t->reach.lo = size_min (t->reach.lo, p->view.any.lo / columns * columns);
    t->reach.hi = size_max (t->reach.hi, p->view.any.hi);
  }
}

/* part_of -- M from row I and column J on. */
static kern_matrix part_of (const tile *t, kern_matrix m, size_t i, size_t j)
{
  m.data = (char *)m.data + (i * m.row + j * m.col) * t->plan->element;
  return m;
}

/* Where queries lie side by side in memory, those of a whole tile are read or written together, a
 * few columns at a time: column by column for each panel would come back to every page of memory
 * and, with a leading dimension that is a power of two, to lines that are no longer in the cache.
 */
enum { COLUMNS_TOGETHER = 16, KEYS_TOGETHER = 24 };

/* read_queries -- packs Q; returns the largest finite |q|. */
static double read_queries (const tile *t)
{
  const attn_attention *a = t->plan->call;
  const kern_attention *kernel = t->plan->kernel;
  const size_t row = kernel->lanes * t->plan->element;
  double largest = 0;
  for (size_t c = 0; c < a->d; c += COLUMNS_TOGETHER)
    for (size_t n = 0; n < t->panel_count; n++) {
      const panel *p = &t->panels[n];
      double part = kernel->pack_queries (p->q + c * row, part_of (t, t->page->q, p->view.i0, c),
                                          p->view.rows, size_min (COLUMNS_TOGETHER, a->d - c),
                                          a->scale * KERN_LOG2E);
      largest = part > largest ? part : largest;
    }
  return largest;
}

/* write_results -- Y, and which rows of it failed. */
static void write_results (const tile *t, unsigned char *failed)
{
  const attn_attention *a = t->plan->call;
  const kern_attention *kernel = t->plan->kernel;
  const size_t row = kernel->lanes * t->plan->element;
  const size_t columns = a->y.data != NULL ? a->dv : 0;
  for (size_t n = 0; n < t->panel_count; n++) {
    const panel *p = &t->panels[n];
    kernel->check (p->sum, p->max, p->view.rows, failed + p->view.i0);
  }
  for (size_t c = 0; c < columns; c += COLUMNS_TOGETHER)
    for (size_t n = 0; n < t->panel_count; n++) {
      const panel *p = &t->panels[n];
      kernel->finish (p->out + c * row, p->sum, p->view.rows,
                      size_min (COLUMNS_TOGETHER, columns - c),
                      part_of (t, t->page->y, p->view.i0, c), failed + p->view.i0);
    }
}

/* read_mask -- bias of all panels of a tile for a block, by the mask. */
static void read_mask (const tile *t, kern_range block)
{
  const kern_attention *kernel = t->plan->kernel;
  const size_t row = kernel->lanes * t->plan->element;
  for (size_t n = 0; n < t->panel_count; n++)
    t->panels[n].by_mask = 0;
  for (size_t j = block.lo; j < block.hi; j += KEYS_TOGETHER)
    for (size_t n = 0; n < t->panel_count; n++) {
      panel *p = &t->panels[n];
      kern_range keys = panel_keys (&p->view, t->plan->call, kernel, block);
      size_t begin = size_max (j, keys.lo), end = size_min (j + KEYS_TOGETHER, keys.hi);
      if (begin < end)
        p->by_mask |= kernel->mask (t->page, p->view.i0, p->view.rows, begin, end,
                                    p->bias + (begin - keys.lo) * row);
    }
}

/* hide -- completes the bias of panel P for KEYS, see panel_hide; the mask has been read. */
static kern_visibility hide (const tile *t, const panel *p, kern_range keys, kern_range *plain)
{
  const kern_attention *kernel = t->plan->kernel;
  if (t->page->mask_kind == ATTN_MASK_NONE)
    return panel_hide (&p->view, t->plan->call, t->page, kernel, keys, p->bias, plain);
  *plain = (kern_range){0, 0};
  return panel_cut (&p->view, kernel, keys, p->by_mask, p->bias);
}

/* attend -- panel P takes in the keys of one block. */
static void attend (const tile *t, panel *p, size_t block, kern_range keys)
{
  const kern_attention *kernel = t->plan->kernel;
  const attn_attention *a = t->plan->call;
  const size_t size = t->plan->element, row = kernel->lanes * size;
  const kern_range block_keys = keys;
  keys = panel_visible (&p->view, kernel, block_keys);
  if (keys.lo >= keys.hi)
    return;
  const size_t end = keys.hi;
  keys = panel_keys (&p->view, a, kernel, block_keys); /* those after `end` are hidden */
  kern_range plain;
  kern_visibility visibility = hide (t, p, keys, &plain);
  if (visibility == KERN_HIDDEN)
    return;

  const bool weights = a->w.data != NULL;
  char *strip = p->strip + (weights ? keys.lo * row : 0);
  const size_t count = keys.hi - keys.lo;
  memcpy (t->old_max, p->max, row);
  kernel->scores (p->q, t->keys->k + keys.lo * a->d * size, a->d, count,
                  visibility == KERN_BIASED ? p->bias : NULL, plain, strip, p->max);
  kernel->exponentials (strip, count, t->old_max, p->max, t->factor, p->sum);
  if (a->y.data != NULL)
    kernel->average (strip, end - keys.lo, t->keys->v, a->Nk, keys.lo, a->dv, t->factor, p->out);
  if (weights) {
    memcpy (p->block_max + block * row, p->max, row);
    t->done[block * t->panel_count + (size_t)(p - t->panels)] = 1;
  }
}

/* write_weights -- W of panel P at some keys of one block; 0 where nothing was computed. */
static void write_weights (const tile *t, const panel *p, size_t block, kern_range keys)
{
  const kern_attention *kernel = t->plan->kernel;
  const size_t row = kernel->lanes * t->plan->element;
  kern_range seen = {keys.hi, keys.hi};
  if (t->done[block * t->panel_count + (size_t)(p - t->panels)])
    seen = panel_visible (&p->view, kernel, keys);
  if (seen.lo >= seen.hi)
    seen = (kern_range){keys.hi, keys.hi};
  kernel->clear_weights (part_of (t, t->page->w, p->view.i0, keys.lo), p->view.rows,
                         seen.lo - keys.lo);
  kernel->finish_weights (p->strip + seen.lo * row, seen.hi - seen.lo, p->block_max + block * row,
                          p->max, p->sum, p->view.rows,
                          part_of (t, t->page->w, p->view.i0, seen.lo));
  kernel->clear_weights (part_of (t, t->page->w, p->view.i0, seen.hi), p->view.rows,
                         keys.hi - seen.hi);
}

/* Blocks are outermost, so that their keys and values stay in the cache. */
static void attention_blocks (const tile *t)
{
  const size_t step = t->plan->block_keys;
  for (size_t j = t->reach.lo; j < t->reach.hi;) {
    size_t block = j / step, end = size_min ((block + 1) * step, t->plan->call->Nk);
    if (t->page->mask_kind != ATTN_MASK_NONE)
      read_mask (t, (kern_range){j, end});
    for (size_t n = 0; n < t->panel_count; n++)
      attend (t, &t->panels[n], block, (kern_range){j, end});
    j = end;
  }
}

static void weight_blocks (const tile *t)
{
  const size_t Nk = t->plan->call->Nk;
  for (size_t j = 0, end; j < Nk; j = end) {
    size_t block = j / t->plan->block_keys;
    end = size_min (j + KEYS_TOGETHER, size_min ((block + 1) * t->plan->block_keys, Nk));
    for (size_t n = 0; n < t->panel_count; n++)
      write_weights (t, &t->panels[n], block, (kern_range){j, end});
  }
}

void attention_tile (const attention_plan *plan, const kern_page *page, const packed_keys *keys,
                     size_t i0, size_t rows, char *scratch, unsigned char *failed)
{
  const attn_attention *a = plan->call;
  tile t = {.plan = plan, .page = page, .keys = keys};
  open_tile (&t, i0, rows, scratch);
  if (!scores_in_range (a, read_queries (&t), keys->largest_k)) {
    memset (failed + i0, 1, rows);
    return;
  }
  if (a->w.data != NULL)
    memset (t.done, 0, blocks_of (plan) * t.panel_count);
  attention_blocks (&t);
  if (a->w.data != NULL)
    weight_blocks (&t);
  write_results (&t, failed);
}
