/* Gradients of one tile of queries against all keys that they may see. */
#ifndef ATTENTION_BACKWARD_TILE_H
#define ATTENTION_BACKWARD_TILE_H

#include "attention/panel.h"
#include "kernel/backward.h"

enum { BACKWARD_LANES_MAX = 64, /* of any kernel */ BACKWARD_PANELS_MAX = 8 /* of a tile */ };

/* How a call is cut up; the same for all its pages. */
typedef struct {
  const attn_attention *call;
  const attn_attention_gradient *gradient;
  const kern_attention *kernel;
  const kern_backward *backward;
  size_t element;           /* bytes */
  size_t panels;            /* of a tile, at most BACKWARD_PANELS_MAX */
  size_t block_keys;        /* keys of a block; a multiple of kernel->columns */
  size_t d_width, dv_width; /* d and dv rounded up to whole vectors */
} backward_plan;

/* One panel of a tile; arrays as in kern_attention and kern_backward. */
typedef struct {
  panel_view view;
  char *strip, *product;                 /* Nk-by-lanes */
  char *q, *dy, *dq;                     /* d-, dv-, d-by-lanes */
  char *q_rows, *dy_rows;                /* rows of Q and dY */
  char *max, *sum, *mean;                /* [lanes] */
  char *block_max;                       /* [block][lanes]: `max` when the block was done */
  kern_range *keys;                      /* [block]: keys that lie in the strip; lo >= hi = none */
  unsigned char *failed;                 /* in the caller's list */
  unsigned char bad[BACKWARD_LANES_MAX]; /* lanes that have no share in dK and dV */
} backward_panel;

/* One key/value page, packed, and the scratch memory of one thread. */
typedef struct {
  size_t page;                 /* of K and V that is packed; SIZE_MAX = none */
  char *k, *v;                 /* groups of keys, for the scores and for dY*V' */
  char *k_columns;             /* groups of columns of K, for dQ */
  double largest_k, largest_v; /* finite |k|, |v| */
  char *bias;                  /* block-by-lanes */
  char *old_max, *factor;      /* [lanes] */
  char *ones, *ignored;        /* [lanes] */
  backward_panel *panel;       /* [panels] */
  kern_backward_share *shares; /* [panels] */
} backward_scratch;

/* Marks of a row that the plain C row has to do: all of its gradients, or only dQ. */
enum { BACKWARD_ROW = 1, BACKWARD_ROW_DQ = 2 };

/* backward_scratch_lay_out -- bytes that a scratch needs (SIZE_MAX when they cannot be counted);
 * cuts it from MEMORY unless NULL. */
size_t backward_scratch_lay_out (const backward_plan *plan, backward_scratch *s, char *memory);

/* backward_pack -- K and V of PAGE, the page of number NUMBER, into the scratch, unless they are
 * there already. */
void backward_pack (const backward_plan *plan, const kern_page *page, size_t number,
                    backward_scratch *s);

/* backward_tile -- dQ of the tile from query I0 on, and its share in DK (Nk-by-d_width) and DV
 * (Nk-by-dv_width); GRADIENT is the page of dY and dQ as y and q.  failed[i] tells what the plain C
 * row has to do for query i: rows with a NaN, an overflow, or no visible key. */
void backward_tile (const backward_plan *plan, const kern_page *page, const kern_page *gradient,
                    size_t i0, backward_scratch *s, char *dk, char *dv, unsigned char *failed);

#endif
