#include "attention/problem.h"

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/size.h"

static attn_view column_major (size_t rows)
{
  return (attn_view){.row_stride = 1, .col_stride = rows};
}

void attn_attention_init (attn_attention *a, attn_type type, size_t Nq, size_t Nk, size_t d,
                          size_t dv)
{
  *a = (attn_attention){.type = type, .Nq = Nq, .Nk = Nk, .d = d, .dv = dv};
  for (int t = 0; t < ATTN_PAGE_DIMS; t++)
    a->pages[t] = a->kv_pages[t] = 1;
  a->q = column_major (Nq);
  a->k = a->v = column_major (Nk);
  a->y = a->w = a->mask = column_major (Nq);
  a->mask_kind = ATTN_MASK_NONE;
  a->scale = d > 0 ? 1 / sqrt ((double)d) : 1;
  a->window_left = a->window_right = ATTN_WINDOW_NONE;
  attn_attention_pack_pages (a);
}

/* pack_view -- page strides of contiguous pages of ELEMENTS each. */
static void pack_view (attn_view *view, size_t elements, const size_t pages[ATTN_PAGE_DIMS])
{
  for (int t = 0; t < ATTN_PAGE_DIMS; t++) {
    view->page_stride[t] = elements;
    elements *= pages[t];
  }
}

void attn_attention_pack_pages (attn_attention *a)
{
  pack_view (&a->q, a->Nq * a->d, a->pages);
  pack_view (&a->k, a->Nk * a->d, a->kv_pages);
  pack_view (&a->v, a->Nk * a->dv, a->kv_pages);
  pack_view (&a->y, a->Nq * a->dv, a->pages);
  pack_view (&a->w, a->Nq * a->Nk, a->pages);
}

/* check_pages -- *ALL = the pages of Q. */
static attn_status check_pages (const attn_attention *a, size_t *all, attn_error *err)
{
  *all = 1;
  for (int t = 0; t < ATTN_PAGE_DIMS; t++) {
    if (a->pages[t] == 0)
      continue;
    if (a->kv_pages[t] == 0 || a->pages[t] % a->kv_pages[t] != 0)
      return attn_fail (
          err, ATTN_E_SIZE,
          "K and V have %zu pages in dimension %d, which does not divide the %zu of Q",
          a->kv_pages[t], t + 3, a->pages[t]);
    if (!size_mul (*all, a->pages[t], all))
      return attn_fail (err, ATTN_E_SIZE, "Q has more pages than can be counted");
  }
  return ATTN_OK;
}

attn_status attention_check (const attn_attention *a, attn_error *err)
{
  if (!isfinite (a->scale))
    return attn_fail (err, ATTN_E_RANGE, "Scale must be a finite number, not %g", a->scale);
  size_t pages;
  attn_status status = check_pages (a, &pages, err);
  if (status != ATTN_OK)
    return status;
  /* All that is derived from these sizes is at most that: a matrix and a few numbers a row, of all
   * pages, in double precision. */
  size_t columns = size_plus (size_plus (a->d, a->dv), ATTN_ALIGNMENT);
  size_t elements = size_times (size_times (size_max (a->Nk, a->Nq), columns), pages);
  if (size_times (elements, sizeof (double)) == SIZE_MAX)
    return attn_fail (err, ATTN_E_SIZE,
                      "%zu queries, %zu keys, %zu and %zu columns, %zu pages are too many", a->Nq,
                      a->Nk, a->d, a->dv, pages);
  return ATTN_OK;
}

size_t element_bytes (const attn_attention *a)
{
  return a->type == ATTN_F32 ? sizeof (float) : sizeof (double);
}

size_t attention_pages (const attn_attention *a)
{
  return a->pages[0] * a->pages[1] * a->pages[2];
}

size_t attention_kv_pages (const attn_attention *a)
{
  return attention_pages (a) > 0 ? a->kv_pages[0] * a->kv_pages[1] * a->kv_pages[2] : 0;
}

/* at_page -- the matrix of VIEW at page INDEX. */
static kern_matrix at_page (const attn_view *view, size_t size, const size_t index[ATTN_PAGE_DIMS])
{
  size_t offset = 0;
  for (int t = 0; t < ATTN_PAGE_DIMS; t++)
    offset += index[t] * view->page_stride[t];
  char *data = view->data;
  return (kern_matrix){.data = data != NULL ? data + offset * size : NULL,
                       .row = view->row_stride,
                       .col = view->col_stride};
}

static size_t mask_element_size (attn_mask_kind kind)
{
  return kind == ATTN_MASK_LOGICAL ? 1 : kind == ATTN_MASK_F32 ? sizeof (float) : sizeof (double);
}

kern_page attention_page (const attn_attention *a, size_t page)
{
  size_t group = attention_pages (a) / attention_kv_pages (a);
  size_t kv = page / group, member = page % group;
  size_t query_index[ATTN_PAGE_DIMS], kv_index[ATTN_PAGE_DIMS];
  for (int t = 0; t < ATTN_PAGE_DIMS; t++) {
    size_t shared = a->pages[t] / a->kv_pages[t];
    kv_index[t] = kv % a->kv_pages[t];
    kv /= a->kv_pages[t];
    query_index[t] = kv_index[t] * shared + member % shared;
    member /= shared;
  }
  size_t size = element_bytes (a);
  return (kern_page){
      .type = a->type,
      .Nq = a->Nq,
      .Nk = a->Nk,
      .d = a->d,
      .dv = a->dv,
      .q = at_page (&a->q, size, query_index),
      .k = at_page (&a->k, size, kv_index),
      .v = at_page (&a->v, size, kv_index),
      .y = at_page (&a->y, size, query_index),
      .w = at_page (&a->w, size, query_index),
      .mask_kind = a->mask_kind,
      .mask = at_page (&a->mask, mask_element_size (a->mask_kind), query_index),
      .scale = a->scale,
  };
}

key_range visible_range (const attn_attention *a, size_t i)
{
  key_range r = {0, a->Nk};
  size_t right = a->causal ? 0 : a->window_right;
  /* Position i + Nk - Nq may be negative: compare with Nq added on both sides. */
  size_t position = size_plus (i, a->Nk); /* matters only up to Nk */
  if (right != ATTN_WINDOW_NONE) {
    size_t end = size_plus (size_plus (position, right), 1);
    r.hi = end > a->Nq ? size_min (end - a->Nq, a->Nk) : 0;
  }
  if (a->window_left != ATTN_WINDOW_NONE) {
    size_t before = size_plus (a->window_left, a->Nq);
    r.lo = position > before ? position - before : 0;
  }
  r.lo = size_min (r.lo, r.hi);
  return r;
}
