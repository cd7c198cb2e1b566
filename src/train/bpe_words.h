/* The different words of a text, how often each stands in it, and how each is split into tokens. */
#ifndef TRAIN_BPE_WORDS_H
#define TRAIN_BPE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"

typedef struct {
  size_t count;     /* places in the text */
  const char *text; /* its first place */
  uint32_t bytes;
  uint32_t tokens;    /* how many it is split into at present */
  size_t first_token; /* in `ids` of all words */
} bpe_word;

/* Zero-fill to start; free with bpe_words_free. */
typedef struct {
  bpe_word *words;
  size_t size, capacity;
  int32_t *ids;      /* the tokens of each word, with room for its bytes */
  size_t bytes;      /* of all words: elements of `ids` */
  uint32_t *slots;   /* hash table with linear probing: index of a word + 1, 0 where free */
  size_t slot_count; /* a power of two, at least twice `size` */
} bpe_words;

void bpe_words_free (bpe_words *w);

/* bpe_words_count -- adds the words of TEXT, a text of its own.
 * Errors: ATTN_E_NOMEM, ATTN_E_INTERRUPTED. */
attn_status bpe_words_count (bpe_words *w, const char *text, size_t bytes, const attn_run *run,
                             attn_error *err);

/* bpe_words_split -- splits every word into its bytes; to be called once, after counting.
 * in:      byte_ids: id of each single byte.  Errors: ATTN_E_NOMEM. */
attn_status bpe_words_split (bpe_words *w, const int32_t byte_ids[256], attn_error *err);

#endif
