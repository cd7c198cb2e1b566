/* One tile of queries against all keys that it may see, by blocks of keys. */
#ifndef ATTENTION_TILE_H
#define ATTENTION_TILE_H

#include "attention/problem.h"

/* How a call is cut up; the same for all its pages. */
typedef struct {
  const attn_attention *call;
  const kern_attention *kernel;
  size_t element;    /* bytes */
  size_t tile_rows;  /* queries of a tile; a multiple of kernel->lanes */
  size_t block_keys; /* keys of a block; a multiple of kernel->columns */
} attention_plan;

/* K and V of one page, packed. */
typedef struct {
  char *k, *v;
  double largest_k; /* finite |k| */
} packed_keys;

/* tile_scratch -- bytes that attention_tile needs; SIZE_MAX when they cannot be counted. */
size_t tile_scratch (const attention_plan *plan);

/* attention_tile -- Y and W of queries i0 to i0 + rows - 1 of one page.  failed[i0 + r] tells which
 * rows the reference has to do again: those with a NaN, an overflow, or no visible key. */
void attention_tile (const attention_plan *plan, const kern_page *page, const packed_keys *keys,
                     size_t i0, size_t rows, char *scratch, unsigned char *failed);

#endif
