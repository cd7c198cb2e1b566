#include "attention/problem.h"

#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "kernel/backward.h"

/* store -- writes the sums of one key/value page, rows-by-columns row-major, to M. */
static void store (attn_type type, const kern_matrix *m, const double *sums, size_t rows,
                   size_t columns)
{
  if (m->data == NULL)
    return;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) {
      size_t at = i * m->row + j * m->col;
      if (type == ATTN_F32)
        ((float *)m->data)[at] = (float)sums[i * columns + j];
      else
        ((double *)m->data)[at] = sums[i * columns + j];
    }
}

/* gradient_page -- page number PAGE of dY, dQ (as y, q) and dK, dV (as k, v). */
static kern_page gradient_page (const attn_attention *a, const attn_attention_gradient *g,
                                size_t page)
{
  attn_attention views = *a;
  views.q = g->dq;
  views.k = g->dk;
  views.v = g->dv;
  views.y = g->dy;
  return attention_page (&views, page);
}

static attn_status backward_group (const attn_attention *a, const attn_attention_gradient *g,
                                   size_t kv, size_t group, const kern_backward_sums *sums,
                                   const attn_run *run, attn_error *err)
{
  memset (sums->dk, 0, a->Nk * a->d * sizeof *sums->dk);
  memset (sums->dv, 0, a->Nk * a->dv * sizeof *sums->dv);
  for (size_t member = 0; member < group; member++) {
    kern_page page = attention_page (a, kv * group + member);
    kern_page gradient = gradient_page (a, g, kv * group + member);
    for (size_t i = 0; i < a->Nq; i++) {
      key_range range = visible_range (a, i);
      kern_backward_row (&page, &gradient.y, &gradient.q, i, range.lo, range.hi, sums);
    }
    if (run != NULL && run->interrupted != NULL && run->interrupted (run->interrupted_data) != 0)
      return attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
  }
  kern_page gradient = gradient_page (a, g, kv * group);
  store (a->type, &gradient.k, sums->dk, a->Nk, a->d);
  store (a->type, &gradient.v, sums->dv, a->Nk, a->dv);
  return ATTN_OK;
}

attn_status attn_attention_backward (const attn_attention *a, const attn_attention_gradient *g,
                                     const attn_run *run, attn_error *err)
{
  kern_backward_sums sums = {0};
  attn_status status = attention_check (a, err);
  if (status != ATTN_OK)
    return status;
  size_t groups = attention_kv_pages (a);
  if (groups == 0)
    return ATTN_OK;
  kern_page first = attention_page (a, 0);
  sums.dk = attn_alloc (a->Nk * a->d, sizeof *sums.dk);
  sums.dv = attn_alloc (a->Nk * a->dv, sizeof *sums.dv);
  sums.scratch = attn_alloc (kern_backward_row_scratch (&first), sizeof *sums.scratch);
  if (sums.dk == NULL || sums.dv == NULL || sums.scratch == NULL)
    status = attn_no_memory (err, "the gradients of one page", a->Nk, sizeof *sums.dk);
  for (size_t kv = 0; kv < groups && status == ATTN_OK; kv++)
    status = backward_group (a, g, kv, attention_pages (a) / groups, &sums, run, err);
  attn_free (sums.dk);
  attn_free (sums.dv);
  attn_free (sums.scratch);
  return status;
}
