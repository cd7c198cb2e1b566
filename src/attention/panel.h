/* A panel: as many consecutive queries as a kernel has lanes, and the keys that they may see. */
#ifndef ATTENTION_PANEL_H
#define ATTENTION_PANEL_H

#include "attention/problem.h"

typedef struct {
  size_t i0, rows;
  kern_range any, all; /* keys that some row and that every row sees, before the mask */
  kern_range *range;   /* [rows]: the caller's memory */
} panel_view;

/* panel_see -- fills the ranges of p->rows queries from p->i0 on. */
void panel_see (panel_view *p, const attn_attention *a);

/* panel_visible -- what is left of BLOCK when the keys that no row sees are taken off, by whole
 * groups of the kernel's columns at the start; lo >= hi when nothing is left. */
kern_range panel_visible (const panel_view *p, const kern_attention *kernel, kern_range block);

/* panel_keys -- the same with the last group made whole, or up to Nk. */
kern_range panel_keys (const panel_view *p, const attn_attention *a, const kern_attention *kernel,
                       kern_range block);

/* panel_cut -- hides what the ranges of the panel leave out of KEYS in BIAS, which the mask has
 * filled; BY_MASK is what the mask made of them. */
kern_visibility panel_cut (const panel_view *p, const kern_attention *kernel, kern_range keys,
                           kern_visibility by_mask, char *bias);

/* panel_hide -- fills BIAS (keys-by-lanes) where keys.lo to keys.hi - 1 of PAGE need one; *PLAIN
 * gets the keys, counted from keys.lo, that need none. */
kern_visibility panel_hide (const panel_view *p, const attn_attention *a, const kern_page *page,
                            const kern_attention *kernel, kern_range keys, char *bias,
                            kern_range *plain);

/* scores_in_range -- whether no score of queries and keys with these largest finite |q| and |k| can
 * overflow, and what q*scale loses below the smallest number cannot be seen in a score. */
bool scores_in_range (const attn_attention *a, double largest_q, double largest_k);

/* products_in_range -- whether nothing that the gradients are summed from can overflow, with these
 * largest finite |dy| and |v|: dY*V', its differences and scale times them. */
bool products_in_range (const attn_attention *a, double largest_dy, double largest_v);

#endif
