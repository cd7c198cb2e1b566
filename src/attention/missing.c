#include "attention/missing.h"

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/size.h"

static size_t element_at (const kern_matrix *m, size_t i, size_t j)
{
  return i * m->row + j * m->col;
}

static bool is_nan (attn_type type, const kern_matrix *m, size_t i, size_t j)
{
  const size_t at = element_at (m, i, j);
  return type == ATTN_F32 ? isnan (((const float *)m->data)[at])
                          : isnan (((const double *)m->data)[at]);
}

static void set_nan (attn_type type, const kern_matrix *m, size_t i, size_t j)
{
  const size_t at = element_at (m, i, j);
  if (type == ATTN_F32)
    ((float *)m->data)[at] = NAN;
  else
    ((double *)m->data)[at] = NAN;
}

/* group_of -- pages of Q for each page of K and V; page KV*group is the first that uses page KV. */
static size_t group_of (const attn_attention *a)
{
  return attention_pages (a) / attention_kv_pages (a);
}

static bool any_nan (const attn_attention *a)
{
  for (size_t kv = 0; kv < attention_kv_pages (a); kv++) {
    const kern_matrix v = attention_page (a, kv * group_of (a)).v;
    for (size_t c = 0; c < a->dv; c++)
      for (size_t j = 0; j < a->Nk; j++)
        if (is_nan (a->type, &v, j, c))
          return true;
  }
  return false;
}

/* copy_without -- one page of V with zeros for NaN to CLEAN, which starts as zeros. */
static void copy_without (const attn_attention *a, const kern_matrix *v, const kern_matrix *clean)
{
  for (size_t c = 0; c < a->dv; c++)
    for (size_t j = 0; j < a->Nk; j++)
      if (!is_nan (a->type, v, j, c)) {
        const size_t from = element_at (v, j, c), to = element_at (clean, j, c);
        if (a->type == ATTN_F32)
          ((float *)clean->data)[to] = ((const float *)v->data)[from];
        else
          ((double *)clean->data)[to] = ((const double *)v->data)[from];
      }
}

/* list -- the keys and the number of columns with NaN of page KV. */
static void list (missing_values *m, const attn_attention *a, size_t kv, const kern_matrix *v)
{
  size_t *keys = m->keys + kv * a->Nk;
  for (size_t j = 0; j < a->Nk; j++)
    for (size_t c = 0; c < a->dv; c++)
      if (is_nan (a->type, v, j, c)) {
        keys[m->count[kv]++] = j;
        break;
      }
  for (size_t c = 0; c < a->dv; c++)
    for (size_t n = 0; n < m->count[kv]; n++)
      if (is_nan (a->type, v, keys[n], c)) {
        m->columns[kv]++;
        break;
      }
}

attn_status missing_open (missing_values *m, const attn_attention *a, attn_error *err)
{
  *m = (missing_values){.call = *a};
  if (!any_nan (a))
    return ATTN_OK;
  const size_t pages = attention_kv_pages (a), size = element_bytes (a);
  const size_t elements = size_times (pages, size_times (a->Nk, a->dv));
  const size_t numbers = size_times (pages, size_plus (a->Nk, 2));
  m->values = attn_alloc_zero (elements, size);
  m->count = attn_alloc_zero (numbers, sizeof *m->count);
  if (m->values == NULL || m->count == NULL) {
    missing_close (m);
    return attn_no_memory (err, "a copy of V", elements, size);
  }
  m->columns = m->count + pages;
  m->keys = m->columns + pages;

  attn_attention packed;
  attn_attention_init (&packed, a->type, a->Nq, a->Nk, a->d, a->dv);
  for (int t = 0; t < ATTN_PAGE_DIMS; t++)
    packed.kv_pages[t] = a->kv_pages[t];
  attn_attention_pack_pages (&packed);
  m->call.v = packed.v;
  m->call.v.data = m->values;
  for (size_t kv = 0; kv < pages; kv++) {
    const kern_matrix v = attention_page (a, kv * group_of (a)).v;
    const kern_matrix clean = attention_page (&m->call, kv * group_of (a)).v;
    copy_without (a, &v, &clean);
    list (m, a, kv, &v);
  }
  return ATTN_OK;
}

void missing_close (missing_values *m)
{
  attn_free (m->values);
  attn_free (m->count);
  m->values = NULL;
  m->count = NULL;
}

void missing_row (const missing_values *m, const kern_page *page, size_t kv_page, size_t i,
                  key_range range)
{
  const size_t *keys = m->keys + kv_page * page->Nk;
  size_t written = 0;
  for (size_t n = 0; n < m->count[kv_page] && written < m->columns[kv_page]; n++) {
    const size_t j = keys[n];
    if (j < range.lo || j >= range.hi || kern_mask_value (page, i, j) == -INFINITY)
      continue;
    for (size_t c = 0; c < page->dv; c++)
      if (is_nan (page->type, &page->v, j, c) && !is_nan (page->type, &page->y, i, c)) {
        set_nan (page->type, &page->y, i, c);
        written++;
      }
  }
}
