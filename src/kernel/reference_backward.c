#include "kernel/backward.h"

#include <math.h>
#include <stdint.h>

#include "base/size.h"

static double element (attn_type type, const kern_matrix *m, size_t i, size_t j)
{
  size_t at = i * m->row + j * m->col;
  return type == ATTN_F32 ? (double)((const float *)m->data)[at] : ((const double *)m->data)[at];
}

static void set_element (attn_type type, const kern_matrix *m, size_t i, size_t j, double x)
{
  size_t at = i * m->row + j * m->col;
  if (type == ATTN_F32)
    ((float *)m->data)[at] = (float)x;
  else
    ((double *)m->data)[at] = x;
}

/* Scratch: the row of W (Nk), of dY*V' (Nk), of dQ (d), then what the forward row needs. */
size_t kern_backward_row_scratch (const kern_page *p)
{
  return size_plus (size_plus (size_times (p->Nk, 2), p->d), kern_attention_row_scratch (p));
}

/* weights_of_row -- row I of W into WEIGHT (Nk elements of the page's type, read as doubles). */
static void weights_of_row (const kern_page *p, size_t i, size_t lo, size_t hi, double *weight,
                            double *scratch)
{
  kern_page forward = *p;
  forward.y.data = NULL;
  forward.w = (kern_matrix){.data = weight, .row = 0, .col = 1};
  kern_attention_row (&forward, i, lo, hi, scratch);
  for (size_t j = p->Nk; j-- > 0;)
    weight[j] = element (p->type, &forward.w, 0, j);
}

/* sees -- whether the mask lets query I see key J.  A key that it sees may have a weight of 0. */
static bool sees (const kern_page *p, size_t i, size_t j)
{
  return p->mask_kind == ATTN_MASK_NONE || kern_mask_value (p, i, j) != -(double)INFINITY;
}

void kern_backward_row (const kern_page *p, const kern_matrix *dy, const kern_matrix *dq, size_t i,
                        size_t lo, size_t hi, const kern_backward_sums *sums)
{
  double *weight = sums->scratch, *product = weight + p->Nk, *dq_row = product + p->Nk;
  weights_of_row (p, i, lo, hi, weight, dq_row + p->d);
  for (size_t c = 0; c < p->d; c++)
    dq_row[c] = 0;
  double mean = 0; /* dY(i,:)*Y(i,:)' = sum over j of W(i,j)*product(j) */
  for (size_t j = lo; j < hi; j++) {
    product[j] = 0;
    if (sees (p, i, j)) /* a hidden value may be anything */
      for (size_t c = 0; c < p->dv; c++)
        product[j] += element (p->type, dy, i, c) * element (p->type, &p->v, j, c);
    mean += weight[j] * product[j];
  }
  for (size_t j = lo; j < hi; j++) {
    if (!sees (p, i, j))
      continue;
    double ds = p->scale * weight[j] * (product[j] - mean);
    for (size_t c = 0; c < p->d; c++) {
      dq_row[c] += ds * element (p->type, &p->k, j, c);
      if (sums->dk != NULL)
        sums->dk[j * p->d + c] += ds * element (p->type, &p->q, i, c);
    }
    for (size_t c = 0; c < p->dv && sums->dv != NULL; c++)
      sums->dv[j * p->dv + c] += weight[j] * element (p->type, dy, i, c);
  }
  if (dq->data != NULL)
    for (size_t c = 0; c < p->d; c++)
      set_element (p->type, dq, i, c, dq_row[c]);
}
