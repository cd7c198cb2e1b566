/* How a backward pass is shared out among threads.
 *
 * The tiles of one key/value page are dealt out to `parts`, each with sums of dK and dV of its own
 * that are added up in their order at the end: results depend on the problem alone, not on the
 * number of threads. */
#include "attention/backward_tile.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "base/threads.h"

enum {
  TILE_QUERIES = 64,  /* their strips of Nk scores stay in a third-level cache */
  BLOCK_KEYS = 192,   /* as in the forward pass */
  PARTS = 8,          /* at work at a time, to keep threads busy */
  PART_QUERIES = 512, /* of a part, at least: its sums cost Nk*(d + dv) to clear and add */
};

/* Floating-point operations: below `parallel_work`, some 0.1 ms, threads cost more than they save;
 * a part takes at most about `item_work` at a time, well under half a second. */
static const double parallel_work = 1e7, item_work = 5e9;

/* A backward pass at work. */
typedef struct {
  backward_plan plan;
  int threads;
  size_t pages, group;                /* pages of Q; those of them that share a page of K and V */
  size_t parts;                       /* of a page */
  size_t tiles;                       /* of a group of pages */
  size_t round, round_size;           /* tiles of a part that are done at a time */
  size_t first_page, pages_at_a_time; /* key/value pages at work */
  size_t dk_bytes, dv_bytes;
  char *memory;              /* owned: scratch, its memory [thread], sums [page at a time][part] */
  backward_scratch *scratch; /* [thread] */
  char *sums;
  unsigned char *failed; /* owned: [page][Nq] rows for the reference */
} backward;

static double page_flops (const attn_attention *a)
{
  double flops = 2.0 * (double)a->Nq * (double)a->Nk * (3.0 * (double)a->d + 2.0 * (double)a->dv);
  return a->causal && a->Nq <= a->Nk ? flops * (1 - 0.5 * (double)a->Nq / (double)a->Nk) : flops;
}

/* gradient_page -- page number PAGE of dY and dQ (as y, q) and of dK and dV (as k, v). */
static kern_page gradient_page (const backward *b, size_t page)
{
  attn_attention views = *b->plan.call;
  const attn_attention_gradient *g = b->plan.gradient;
  views.q = g->dq;
  views.k = g->dk;
  views.v = g->dv;
  views.y = g->dy;
  return attention_page (&views, page);
}

static char *sums_of (const backward *b, size_t page, size_t part)
{
  return b->sums + (page * b->parts + part) * (b->dk_bytes + b->dv_bytes);
}

/* part_item -- the tiles of this round of one part of one key/value page. */
static void part_item (void *context, size_t item, int thread)
{
  backward *b = context;
  const attn_attention *a = b->plan.call;
  const size_t kv_page = b->first_page + item / b->parts, part = item % b->parts;
  const size_t per_page = b->tiles / b->group;
  const size_t tile_rows = b->plan.panels * b->plan.kernel->lanes;
  backward_scratch *s = &b->scratch[thread];
  char *dk = sums_of (b, item / b->parts, part), *dv = dk + b->dk_bytes;
  if (b->round == 0)
    memset (dk, 0, b->dk_bytes + b->dv_bytes);
  const kern_page keys = attention_page (a, kv_page * b->group);
  backward_pack (&b->plan, &keys, kv_page, s);
  for (size_t n = 0; n < b->round_size; n++) {
    size_t tile = (b->round * b->round_size + n) * b->parts + part;
    if (tile >= b->tiles)
      break;
    size_t page_number = kv_page * b->group + tile / per_page;
    const kern_page page = attention_page (a, page_number);
    const kern_page gradient = gradient_page (b, page_number);
    backward_tile (&b->plan, &page, &gradient, tile % per_page * tile_rows, s,
                   gradient.k.data != NULL ? dk : NULL, gradient.v.data != NULL ? dv : NULL,
                   b->failed + page_number * a->Nq);
  }
}

/* store_item -- dK and dV of one page: its parts added up in their order. */
static void store_item (void *context, size_t item, int thread)
{
  backward *b = context;
  const attn_attention *a = b->plan.call;
  const kern_backward *kernel = b->plan.backward;
  const kern_page g = gradient_page (b, (b->first_page + item) * b->group);
  char *dk = sums_of (b, item, 0);
  (void)thread;
  for (size_t part = 1; part < b->parts; part++)
    kernel->add (dk, sums_of (b, item, part), (b->dk_bytes + b->dv_bytes) / b->plan.element);
  if (g.k.data != NULL)
    kernel->store (dk, a->Nk, a->d, b->plan.d_width, g.k);
  if (g.v.data != NULL)
    kernel->store (dk + b->dk_bytes, a->Nk, a->dv, b->plan.dv_width, g.v);
}

static attn_status run_kernel (backward *b, const attn_run *run, attn_error *err)
{
  const size_t kv_pages = b->pages / b->group;
  const size_t rounds = size_ceil_div (size_ceil_div (b->tiles, b->parts), b->round_size);
  attn_status status = ATTN_OK;
  for (; b->first_page < kv_pages && status == ATTN_OK; b->first_page += b->pages_at_a_time) {
    size_t count = size_min (b->pages_at_a_time, kv_pages - b->first_page);
    for (b->round = 0; b->round < rounds && status == ATTN_OK; b->round++)
      status = parallel_for (count * b->parts, b->threads, part_item, b, run, err);
    if (status == ATTN_OK)
      status = parallel_for (count, b->threads, store_item, b, run, err);
  }
  return status;
}

/* ---- rows for the reference ---- */

static void add_reference (attn_type type, kern_matrix m, const double *sums, size_t rows,
                           size_t columns)
{
  if (m.data == NULL)
    return;
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < columns; c++) {
      size_t at = i * m.row + c * m.col;
      if (type == ATTN_F32)
        ((float *)m.data)[at] += (float)sums[i * columns + c];
      else
        ((double *)m.data)[at] += sums[i * columns + c];
    }
}

/* reference_rows -- the failed rows of one page of Q. */
static attn_status reference_rows (backward *b, size_t page_number, const kern_backward_sums *sums,
                                   const attn_run *run, attn_error *err)
{
  const attn_attention *a = b->plan.call;
  const kern_page page = attention_page (a, page_number);
  const kern_page gradient = gradient_page (b, page_number);
  const kern_backward_sums only_dq = {.scratch = sums->scratch};
  for (size_t i = 0; i < a->Nq; i++) {
    unsigned char failed = b->failed[page_number * a->Nq + i];
    if (!failed)
      continue;
    key_range range = visible_range (a, i);
    kern_backward_row (&page, &gradient.y, &gradient.q, i, range.lo, range.hi,
                       failed & BACKWARD_ROW ? sums : &only_dq);
    if (run != NULL && run->interrupted != NULL && run->interrupted (run->interrupted_data) != 0)
      return attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
  }
  return ATTN_OK;
}

static bool any_failed (const backward *b)
{
  for (size_t i = 0; i < b->pages * b->plan.call->Nq; i++)
    if (b->failed[i])
      return true;
  return false;
}

static attn_status run_reference (backward *b, const attn_run *run, attn_error *err)
{
  const attn_attention *a = b->plan.call;
  if (!any_failed (b))
    return ATTN_OK;
  const kern_page first = attention_page (a, 0);
  kern_backward_sums sums = {attn_alloc (size_times (a->Nk, a->d), sizeof (double)),
                             attn_alloc (size_times (a->Nk, a->dv), sizeof (double)),
                             attn_alloc (kern_backward_row_scratch (&first), sizeof (double))};
  attn_status status = ATTN_OK;
  if (sums.dk == NULL || sums.dv == NULL || sums.scratch == NULL)
    status = attn_no_memory (err, "gradients of one page", a->Nk, sizeof (double));
  for (size_t kv = 0; kv < b->pages / b->group && status == ATTN_OK; kv++) {
    memset (sums.dk, 0, a->Nk * a->d * sizeof (double));
    memset (sums.dv, 0, a->Nk * a->dv * sizeof (double));
    for (size_t member = 0; member < b->group && status == ATTN_OK; member++)
      status = reference_rows (b, kv * b->group + member, &sums, run, err);
    const kern_page g = gradient_page (b, kv * b->group);
    add_reference (a->type, g.k, sums.dk, a->Nk, a->d);
    add_reference (a->type, g.v, sums.dv, a->Nk, a->dv);
  }
  attn_free (sums.dk);
  attn_free (sums.dv);
  attn_free (sums.scratch);
  return status;
}

/* clear_view -- VIEW, ROWS-by-COLUMNS over the pages of K and V, = 0. */
static void clear_view (const attn_attention *a, const attn_view *view, size_t rows, size_t columns)
{
  const size_t *pages = a->kv_pages, element = element_bytes (a);
  if (view->data == NULL)
    return;
  for (size_t p = 0; p < pages[0] * pages[1] * pages[2]; p++) {
    size_t at = p % pages[0] * view->page_stride[0] +
                p / pages[0] % pages[1] * view->page_stride[1] +
                p / pages[0] / pages[1] * view->page_stride[2];
    for (size_t c = 0; c < columns; c++)
      for (size_t i = 0; i < rows; i++)
        memset ((char *)view->data + (at + i * view->row_stride + c * view->col_stride) * element,
                0, element);
  }
}

/* ---- set-up ---- */

static void choose_parts (backward *b, const attn_run *run)
{
  const attn_attention *a = b->plan.call;
  backward_plan *plan = &b->plan;
  const size_t lanes = plan->kernel->lanes, columns = plan->kernel->columns;
  const size_t vector = plan->backward->vector, kv_pages = b->pages / b->group;
  const double work = page_flops (a) * (double)b->group;
  b->threads = work * (double)kv_pages < parallel_work ? 1 : parallel_threads (run);
  plan->panels = size_min (size_max (TILE_QUERIES / lanes, 1), BACKWARD_PANELS_MAX);
  plan->panels = size_min (plan->panels, size_ceil_div (a->Nq, lanes));
  plan->block_keys = BLOCK_KEYS / columns * columns;
  plan->d_width = size_ceil_div (a->d, vector) * vector;
  plan->dv_width = size_ceil_div (a->dv, vector) * vector;

  b->tiles = size_ceil_div (a->Nq, plan->panels * lanes) * b->group;
  b->parts = size_min (b->tiles, size_ceil_div (a->Nq * b->group, PART_QUERIES));
  b->parts = size_max (size_min (b->parts, size_ceil_div (PARTS, kv_pages)), 1);
  b->pages_at_a_time =
      size_min (kv_pages, b->parts > 1 ? size_ceil_div (PARTS, b->parts) : 4 * (size_t)b->threads);
  double tile_work = work / (double)b->tiles;
  b->round_size = tile_work < item_work ? (size_t)(item_work / (tile_work + 1)) + 1 : 1;
}

static attn_status allocate (backward *b, attn_error *err)
{
  const attn_attention *a = b->plan.call;
  const size_t threads = (size_t)b->threads;
  backward_scratch uncut;
  size_t list = size_ceil_div (threads * sizeof *b->scratch, ATTN_ALIGNMENT) * ATTN_ALIGNMENT;
  size_t one = backward_scratch_lay_out (&b->plan, &uncut, NULL), sums, scratch, total;
  if (!size_mul (a->Nk, b->plan.d_width * b->plan.element, &b->dk_bytes) ||
      !size_mul (a->Nk, b->plan.dv_width * b->plan.element, &b->dv_bytes) ||
      !size_add (b->dk_bytes, b->dv_bytes, &sums) ||
      !size_mul (sums, b->parts * b->pages_at_a_time, &sums) ||
      !size_mul (one, threads, &scratch) || !size_add (scratch, list, &scratch) ||
      !size_add (scratch, sums, &total))
    return attn_fail (err, ATTN_E_SIZE, "%zu queries and %zu keys are too many", a->Nq, a->Nk);
  b->memory = attn_alloc (total, 1);
  if (b->memory == NULL)
    return attn_no_memory (err, "the sums of the gradients", total, 1);
  b->scratch = (backward_scratch *)b->memory;
  for (size_t t = 0; t < threads; t++)
    backward_scratch_lay_out (&b->plan, &b->scratch[t], b->memory + list + t * one);
  b->sums = b->memory + scratch;
  return ATTN_OK;
}

attn_status attn_attention_backward (const attn_attention *a, const attn_attention_gradient *g,
                                     const attn_run *run, attn_error *err)
{
  attn_status status = attention_check (a, err);
  if (status != ATTN_OK)
    return status;
  const kern_isa isa = kern_isa_choose ();
  backward b = {.plan = {.call = a,
                         .gradient = g,
                         .kernel = kern_attention_table (isa, a->type),
                         .backward = kern_backward_table (isa, a->type),
                         .element = element_bytes (a)},
                .pages = attention_pages (a)};
  if (b.pages == 0 || a->Nq == 0 || a->Nk == 0 || b.plan.kernel == NULL) {
    clear_view (a, &g->dk, a->Nk, a->d);
    clear_view (a, &g->dv, a->Nk, a->dv);
  }
  if (b.pages == 0)
    return ATTN_OK;
  b.group = b.pages / attention_kv_pages (a);
  const size_t rows = size_times (b.pages, a->Nq);
  b.failed = attn_alloc (rows, 1);
  if (b.failed == NULL)
    return attn_no_memory (err, "the list of rows", rows, 1);
  if (b.plan.kernel == NULL || a->Nq == 0 || a->Nk == 0) {
    memset (b.failed, BACKWARD_ROW, rows);
  } else {
    choose_parts (&b, run);
    status = allocate (&b, err);
    parallel_team team;
    const attn_run with = parallel_team_open (&team, run);
    if (status == ATTN_OK)
      status = run_kernel (&b, &with, err);
    parallel_team_close (&team);
  }
  if (status == ATTN_OK)
    status = run_reference (&b, run, err);
  attn_free (b.memory);
  attn_free (b.failed);
  return status;
}
