/* The pairs of neighbouring tokens in the words of a text: how often each stands there, in which
 * words, and which is the most frequent. */
#ifndef TRAIN_BPE_PAIRS_H
#define TRAIN_BPE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"

#define BPE_NO_PLACE UINT32_MAX

typedef struct {
  int32_t left, right;
  uint32_t places; /* first element of its list of words, or BPE_NO_PLACE */
  bool raised;     /* in the list of those that became more frequent */
  size_t count;    /* places in the text */
} bpe_pair;

/* One word in the list of a pair.  The pair may have gone from it since. */
typedef struct {
  uint32_t word, next;
} bpe_place;

/* A pair in the queue, with its count when it was put there. */
typedef struct {
  size_t count;
  uint32_t pair;
} bpe_queued;

/* Zero-fill to start; free with bpe_pairs_free. */
typedef struct {
  bpe_pair *pairs;
  size_t size, capacity;
  uint32_t *slots;   /* hash table with linear probing: index of a pair + 1, 0 where free */
  size_t slot_count; /* a power of two, at least twice `size` */
  bpe_place *places;
  size_t place_count, place_capacity;
  uint32_t *raised; /* pairs that became more frequent since bpe_pairs_queue */
  size_t raised_count, raised_capacity;
  bpe_queued *queue; /* heap, the most frequent on top */
  size_t queue_size, queue_capacity;
} bpe_pairs;

void bpe_pairs_free (bpe_pairs *p);

/* bpe_pairs_add -- COUNT more places of a pair, in WORD.  Errors: ATTN_E_NOMEM. */
attn_status bpe_pairs_add (bpe_pairs *p, int32_t left, int32_t right, uint32_t word, size_t count,
                           attn_error *err);

/* bpe_pairs_subtract -- COUNT fewer places of a pair that was added. */
void bpe_pairs_subtract (bpe_pairs *p, int32_t left, int32_t right, size_t count);

/* bpe_pairs_queue -- puts the pairs that became more frequent into the queue.
 * Errors: ATTN_E_NOMEM. */
attn_status bpe_pairs_queue (bpe_pairs *p, attn_error *err);

/* bpe_pairs_best -- index of the pair with the most places; on a tie the one with the lowest left,
 * then right id.  false when no pair in the queue has a place. */
bool bpe_pairs_best (bpe_pairs *p, uint32_t *best);

#endif
