/* How a forward pass is shared out among threads. */
#include "attention/missing.h"
#include "attention/tile.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "base/threads.h"

enum {
  TILE_QUERIES = 256,        /* their state and a block of K and V stay in a second-level cache */
  TILE_QUERIES_WEIGHTS = 64, /* with W, whose strips are Nk long */
  BLOCK_KEYS = 192,          /* a strip of scores stays in a first-level cache */
  ROW_QUERIES = 4,           /* at most so many are done without packing K and V */
  PACK_ITEMS = 64,           /* at most, of K and of V */
  TILES_PER_THREAD = 4       /* at least, for an even load */
};

/* Floating-point operations.  Below `parallel_work`, some 0.1 ms, threads cost more than they save;
 * an item of work with one of the others takes well under half a second, which is how long an
 * interrupt may have to wait. */
static const double parallel_work = 1e7, page_item_work = 5e8, tile_item_work = 2e9,
                    reference_item_work = 5e7;

/* A forward pass at work. */
typedef struct {
  attention_plan plan;
  int threads;
  bool single_rows;    /* nothing is packed; an item is one query */
  bool whole_pages;    /* each thread works on its own page of K and V; else all on one */
  size_t pages, group; /* pages of Q; those of them that share a page of K and V */
  size_t k_bytes, v_bytes, tile_bytes; /* of one page, packed; scratch of one tile */
  char *memory;                        /* owned */
  char *packed, *tiles;                /* [thread], but one `packed` if shared */
  unsigned char *failed;               /* [page][Nq]: rows for the reference */
  size_t kv_page;                      /* what all threads work on */
  size_t pack_items;                   /* of K; as many of V */
  double largest[PACK_ITEMS];          /* finite |k| of each */
  missing_values missing;              /* NaN in V, once rows have failed */
  double *reference;                   /* scratch of the reference, [thread][reference_count] */
  size_t reference_count, reference_rows, reference_items; /* rows an item, items a page */
} forward;

static double page_flops (const attn_attention *a)
{
  double flops = 2.0 * (double)a->Nq * (double)a->Nk * (double)(a->d + a->dv);
  return a->causal && a->Nq <= a->Nk ? flops * (1 - 0.5 * (double)a->Nq / (double)a->Nk) : flops;
}

static packed_keys packed_of (const forward *f, int thread)
{
  char *k = f->packed + (f->whole_pages ? (size_t)thread * (f->k_bytes + f->v_bytes) : 0);
  return (packed_keys){.k = k, .v = k + f->k_bytes};
}

/* pack_part -- part ITEM of f->pack_items of K and V of one page. */
static void pack_part (forward *f, size_t kv_page, size_t item, const packed_keys *keys,
                       double *largest)
{
  const attn_attention *a = f->plan.call;
  const kern_attention *kernel = f->plan.kernel;
  const kern_page page = attention_page (a, kv_page * f->group);
  const size_t size = f->plan.element, columns = kernel->columns;

  size_t groups = size_ceil_div (a->Nk, columns), part = size_ceil_div (groups, f->pack_items);
  size_t begin = size_min (item * part * columns, a->Nk);
  size_t count = size_min (part * columns, a->Nk - begin);
  char *k = keys->k + begin * a->d * size;
  kernel->pack (k, (const char *)page.k.data + begin * page.k.row * size, page.k.col, page.k.row,
                a->d, count);
  *largest = kernel->largest (k, count * a->d);

  if (a->y.data == NULL)
    return;
  groups = size_ceil_div (a->dv, columns), part = size_ceil_div (groups, f->pack_items);
  begin = size_min (item * part * columns, a->dv);
  count = size_min (part * columns, a->dv - begin);
  kernel->pack (keys->v + begin * a->Nk * size,
                (const char *)page.v.data + begin * page.v.col * size, page.v.row, page.v.col,
                a->Nk, count);
}

static void pack_item (void *context, size_t item, int thread)
{
  (void)thread;
  forward *f = context;
  packed_keys keys = packed_of (f, 0);
  pack_part (f, f->kv_page, item, &keys, &f->largest[item]);
}

static size_t tiles_of (const forward *f)
{
  return size_ceil_div (f->plan.call->Nq, f->plan.tile_rows);
}

/* do_tile -- tile number ITEM of the pages of one group, those with the most visible keys first. */
static void do_tile (forward *f, size_t kv_page, size_t item, const packed_keys *keys, int thread)
{
  const attn_attention *a = f->plan.call;
  const size_t page_number = kv_page * f->group + item % f->group;
  const size_t i0 = (tiles_of (f) - 1 - item / f->group) * f->plan.tile_rows;
  const kern_page page = attention_page (a, page_number);
  attention_tile (&f->plan, &page, keys, i0, size_min (f->plan.tile_rows, a->Nq - i0),
                  f->tiles + (size_t)thread * f->tile_bytes, f->failed + page_number * a->Nq);
}

static void tile_item (void *context, size_t item, int thread)
{
  forward *f = context;
  packed_keys keys = packed_of (f, 0);
  for (size_t n = 0; n < f->pack_items; n++)
    keys.largest_k = fmax (keys.largest_k, f->largest[n]);
  do_tile (f, f->kv_page, item, &keys, thread);
}

static void page_item (void *context, size_t kv_page, int thread)
{
  forward *f = context;
  packed_keys keys = packed_of (f, thread);
  for (size_t n = 0; n < f->pack_items; n++) {
    double largest;
    pack_part (f, kv_page, n, &keys, &largest);
    keys.largest_k = fmax (keys.largest_k, largest);
  }
  for (size_t n = 0; n < tiles_of (f) * f->group; n++)
    do_tile (f, kv_page, n, &keys, thread);
}

static void row_item (void *context, size_t item, int thread)
{
  forward *f = context;
  const attn_attention *a = f->plan.call;
  const size_t i = item % a->Nq;
  const kern_page page = attention_page (a, item / a->Nq);
  f->failed[item] = !f->plan.kernel->row (&page, i, visible_range (a, i),
                                          f->tiles + (size_t)thread * f->tile_bytes);
}

static attn_status run_kernel (forward *f, const attn_run *run, attn_error *err)
{
  const size_t kv_pages = f->pages / f->group;
  if (f->single_rows)
    return parallel_for (f->pages * f->plan.call->Nq, f->threads, row_item, f, run, err);
  if (f->whole_pages)
    return parallel_for (kv_pages, f->threads, page_item, f, run, err);
  attn_status status = ATTN_OK;
  for (f->kv_page = 0; f->kv_page < kv_pages && status == ATTN_OK; f->kv_page++) {
    status = parallel_for (f->pack_items, f->threads, pack_item, f, run, err);
    if (status == ATTN_OK)
      status = parallel_for (tiles_of (f) * f->group, f->threads, tile_item, f, run, err);
  }
  return status;
}

static bool any_failed (const forward *f)
{
  return memchr (f->failed, 1, f->pages * f->plan.call->Nq) != NULL;
}

/* run_without_nan -- where rows have failed and V has NaN, does the call again without these. */
static attn_status run_without_nan (forward *f, const attn_run *run, attn_error *err)
{
  const attn_attention *a = f->plan.call;
  attn_status status = missing_open (&f->missing, a, err);
  if (status != ATTN_OK || f->missing.values == NULL)
    return status;
  memset (f->failed, 0, f->pages * a->Nq);
  f->plan.call = &f->missing.call;
  status = run_kernel (f, run, err);
  f->plan.call = a;
  return status;
}

/* reference_item -- a few consecutive rows: those that failed, and the NaN of the others. */
static void reference_item (void *context, size_t item, int thread)
{
  forward *f = context;
  const attn_attention *a = f->plan.call;
  const size_t page_number = item / f->reference_items;
  const size_t begin = item % f->reference_items * f->reference_rows;
  const size_t end = size_min (begin + f->reference_rows, a->Nq);
  const kern_page page = attention_page (a, page_number);
  const unsigned char *failed = f->failed + page_number * a->Nq;
  for (size_t i = begin; i < end; i++) {
    key_range range = visible_range (a, i);
    if (failed[i])
      kern_attention_row (&page, i, range.lo, range.hi,
                          f->reference + (size_t)thread * f->reference_count);
    else if (f->missing.values != NULL)
      missing_row (&f->missing, &page, page_number / f->group, i, range);
  }
}

static attn_status run_reference (forward *f, const attn_run *run, attn_error *err)
{
  const attn_attention *a = f->plan.call;
  const kern_page page = attention_page (a, 0);
  f->reference_count = kern_attention_row_scratch (&page);
  const size_t doubles = size_times (f->reference_count, (size_t)f->threads);
  f->reference = attn_alloc (doubles, sizeof *f->reference);
  if (f->reference == NULL)
    return attn_no_memory (err, "rows of scores", doubles, sizeof *f->reference);
  double row_work = page_flops (a) / (double)a->Nq;
  f->reference_rows =
      row_work * 64 < reference_item_work ? 64 : (size_t)(reference_item_work / row_work) + 1;
  f->reference_items = size_ceil_div (a->Nq, f->reference_rows);
  attn_status status =
      parallel_for (f->pages * f->reference_items, f->threads, reference_item, f, run, err);
  attn_free (f->reference);
  return status;
}

static bool has_unit_stride (const attn_view *view)
{
  return view->row_stride == 1 || view->col_stride == 1;
}

/* choose_tiles -- sizes of the pieces of work, and how many threads share which. */
static void choose_tiles (forward *f, const attn_run *run)
{
  const attn_attention *a = f->plan.call;
  const kern_attention *kernel = f->plan.kernel;
  const double work = page_flops (a) * (double)f->group;
  const size_t kv_pages = f->pages / f->group, lanes = kernel != NULL ? kernel->lanes : 1;
  f->threads = work * (double)kv_pages < parallel_work ? 1 : parallel_threads (run);
  const size_t threads = (size_t)f->threads;
  f->single_rows =
      kernel != NULL && a->Nq <= ROW_QUERIES && has_unit_stride (&a->k) && has_unit_stride (&a->v);
  f->whole_pages = threads > 1 && work <= page_item_work &&
                   (kv_pages >= 4 * threads || (kv_pages >= threads && work < parallel_work));
  f->pack_items = f->whole_pages || threads == 1 ? 1 : PACK_ITEMS;

  size_t rows = a->w.data != NULL ? TILE_QUERIES_WEIGHTS : TILE_QUERIES;
  if (threads > 1 && !f->whole_pages)
    rows = size_min (rows, a->Nq * f->group / (TILES_PER_THREAD * threads));
  double row_work = page_flops (a) / (double)a->Nq;
  if (row_work * (double)rows > tile_item_work)
    rows = (size_t)(tile_item_work / row_work);
  rows = size_min (rows, a->Nq);
  f->plan.tile_rows = size_max (size_ceil_div (rows, lanes), 1) * lanes;
  if (kernel != NULL)
    f->plan.block_keys = BLOCK_KEYS / kernel->columns * kernel->columns;
}

/* add_part -- bytes of COUNT parts, each of A*B elements of SIZE rounded up to whole cache lines,
 * added to *TOTAL; returns the bytes of one. */
static bool add_part (size_t a, size_t b, size_t size, size_t count, size_t *bytes, size_t *total)
{
  size_t all;
  if (!size_mul (a, b, bytes) || !size_mul (*bytes, size, bytes) ||
      !size_add (*bytes, ATTN_ALIGNMENT - 1, bytes))
    return false;
  *bytes -= *bytes % ATTN_ALIGNMENT;
  return size_mul (*bytes, count, &all) && size_add (*total, all, total);
}

static size_t row_scratch (const forward *f)
{
  const attn_attention *a = f->plan.call;
  size_t elements = size_plus (size_plus (a->d, a->dv), size_plus (a->Nk, KERN_ROW_PADDING));
  return size_times (elements, f->plan.element);
}

static attn_status allocate (forward *f, attn_error *err)
{
  const attn_attention *a = f->plan.call;
  const size_t threads = (size_t)f->threads, packs = f->whole_pages ? threads : 1;
  const bool fast = f->plan.kernel != NULL && !f->single_rows;
  size_t total = 0, failed_bytes;
  size_t tile = fast ? tile_scratch (&f->plan) : f->single_rows ? row_scratch (f) : 0;
  bool counted = add_part (a->Nk, fast ? a->d : 0, f->plan.element, packs, &f->k_bytes, &total) &&
                 add_part (a->Nk, fast && a->y.data != NULL ? a->dv : 0, f->plan.element, packs,
                           &f->v_bytes, &total) &&
                 add_part (tile, 1, 1, threads, &f->tile_bytes, &total) &&
                 add_part (f->pages, a->Nq, 1, 1, &failed_bytes, &total);
  if (!counted)
    return attn_fail (err, ATTN_E_SIZE, "%zu queries and %zu keys are too many", a->Nq, a->Nk);
  f->memory = attn_alloc (total, 1);
  if (f->memory == NULL)
    return attn_no_memory (err, "packed keys and values", total, 1);
  f->packed = f->memory;
  f->tiles = f->packed + packs * (f->k_bytes + f->v_bytes);
  f->failed = (unsigned char *)f->tiles + threads * f->tile_bytes;
  return ATTN_OK;
}

attn_status attn_attention_forward (const attn_attention *a, const attn_run *run, attn_error *err)
{
  attn_status status = attention_check (a, err);
  if (status != ATTN_OK)
    return status;
  forward f = {.plan.call = a, .pages = attention_pages (a)};
  if (f.pages == 0 || a->Nq == 0 || (a->y.data == NULL && a->w.data == NULL))
    return ATTN_OK;
  f.group = f.pages / attention_kv_pages (a);
  f.plan.kernel = kern_attention_table (kern_isa_choose (), a->type);
  f.plan.element = element_bytes (a);
  choose_tiles (&f, run);
  status = allocate (&f, err);
  if (status != ATTN_OK)
    return status;
  parallel_team team;
  const attn_run with = parallel_team_open (&team, run);
  if (f.plan.kernel != NULL)
    status = run_kernel (&f, &with, err);
  else
    memset (f.failed, 1, f.pages * a->Nq);
  if (status == ATTN_OK && f.plan.kernel != NULL && a->y.data != NULL && any_failed (&f))
    status = run_without_nan (&f, &with, err);
  if (status == ATTN_OK && (f.missing.values != NULL || any_failed (&f)))
    status = run_reference (&f, &with, err);
  missing_close (&f.missing);
  parallel_team_close (&team);
  attn_free (f.memory);
  return status;
}
