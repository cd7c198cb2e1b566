/* Byte-pair encoding of one word (Sennrich et al. 2016, as GPT-2 applies it): while any two
 * neighbours have a rule, the rule of lowest rank is applied to all its pairs, from left to right.
 */
#ifndef TEXT_BPE_H
#define TEXT_BPE_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"
#include "text/merges.h"

#define BPE_END UINT32_MAX

/* A token of the word under work, with its neighbours (BPE_END = none). */
typedef struct {
  int32_t id;
  uint32_t
      rank; /* of the rule for it and the next one, MERGE_NONE without one or when merged away */
  uint32_t previous, next;
} bpe_symbol;

/* Memory that words share within one call.  Zero-fill to start; free with bpe_free. */
typedef struct {
  bpe_symbol *symbols; /* one a byte of the word */
  uint64_t *heap;      /* min-heap of rank * 2^32 + index of the left symbol; old entries stay in */
  uint32_t *merged;    /* symbols that the rule under work has made */
  size_t symbols_capacity, heap_capacity, merged_capacity;
  size_t heap_size;
} bpe_scratch;

void bpe_free (bpe_scratch *scratch);

/* bpe_encode -- ids of one word.
 * in:      byte_ids: id of each single byte; word: 1 to 2^32 - 1 bytes.
 * out:     ids: room for `bytes` ids; *count of them are written.
 * Errors:  ATTN_E_NOMEM.
 * Cost:    O(n log n) in its bytes. */
attn_status bpe_encode (const merges *m, const int32_t byte_ids[256], const char *word,
                        size_t bytes, bpe_scratch *scratch, int32_t *ids, size_t *count,
                        attn_error *err);

#endif
