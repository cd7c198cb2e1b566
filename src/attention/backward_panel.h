/* Gradients of one panel of queries against all keys that it may see. */
#ifndef ATTENTION_BACKWARD_PANEL_H
#define ATTENTION_BACKWARD_PANEL_H

#include "attention/panel.h"
#include "kernel/backward.h"

/* How a call is cut up; the same for all its pages. */
typedef struct {
  const attn_attention *call;
  const attn_attention_gradient *gradient;
  const kern_attention *kernel;
  const kern_backward *backward;
  size_t element;           /* bytes */
  size_t d_width, dv_width; /* d and dv rounded up to whole panels of lanes */
} backward_plan;

/* One key/value page, packed, and the scratch memory of one thread. */
typedef struct {
  char *k, *v;                               /* groups of keys, for the scores and for dY*V' */
  char *k_columns;                           /* groups of columns of K, for dQ */
  double largest_k;                          /* finite |k| */
  char *strip, *product;                     /* Nk-by-lanes */
  char *bias;                                /* block-by-lanes */
  char *q, *q_rows, *dy, *dy_rows;           /* the panel, lanes innermost and row after row */
  char *dq;                                  /* d-by-lanes */
  char *max, *sum, *factor, *ones, *ignored; /* lanes */
  kern_range *range;                         /* [lanes] */
  struct backward_segment *segments;         /* [blocks]: keys that lie in the strip */
} backward_scratch;

/* backward_scratch_lay_out -- bytes that a scratch needs (SIZE_MAX when they cannot be counted);
 * cuts it from MEMORY unless NULL. */
size_t backward_scratch_lay_out (const backward_plan *plan, backward_scratch *s, char *memory);

/* backward_pack -- K and V of PAGE into the scratch. */
void backward_pack (const backward_plan *plan, const kern_page *page, backward_scratch *s);

/* backward_panel -- dQ of the panel from query I0 on, and its share in DK (Nk-by-d_width) and DV
 * (Nk-by-dv_width); GRADIENT is the page of dY and dQ as y and q.  failed[i0 + r] tells which rows
 * the reference has to do: those with a NaN, an overflow, or no visible key; they have no share. */
void backward_panel (const backward_plan *plan, const kern_page *page, const kern_page *gradient,
                     size_t i0, backward_scratch *s, char *dk, char *dv, unsigned char *failed);

#endif
