/* The merge rules: which pair of neighbouring tokens becomes which token, and in which order of
 * preference. */
#ifndef TEXT_MERGES_H
#define TEXT_MERGES_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"
#include "text/vocabulary.h"

#define MERGE_NONE UINT32_MAX

typedef struct {
  uint64_t pair;  /* left id in the upper, right id in the lower half */
  uint32_t rank;  /* 0 is applied first; MERGE_NONE = this slot is free */
  int32_t merged; /* id of the token of both */
} merge_rule;

/* Zero-fill to start; free with merges_free. */
typedef struct {
  merge_rule *slots; /* hash table with linear probing */
  size_t slot_count; /* a power of two, or 0 */
} merges;

void merges_free (merges *m);

/* merges_find -- the rule for LEFT and RIGHT, or NULL. */
const merge_rule *merges_find (const merges *m, int32_t left, int32_t right);

/* merges_read -- reads the text of a merges.txt: an optional first line that starts with
 * "#version", then one rule a line, the first applied first: two tokens in the byte alphabet with
 * one space between.  Lines end in LF or CR LF; empty lines only at the end.
 * in-out:  v: both tokens of every rule must be in it.  The token of both must be in it too if
 *          COMPLETE; otherwise it gets the next id when it is not there yet.
 * out:     *m, to be freed by merges_free.
 * Errors:  ATTN_E_MODEL_CORRUPT (names the line), ATTN_E_NOMEM. */
attn_status merges_read (merges *m, vocabulary *v, int complete, const char *text, size_t bytes,
                         attn_error *err);

#endif
