/* Learning the merges of a byte-level byte-pair encoding from text (Sennrich et al. 2016; Gage
 * 1994), in GPT-2's format. */
#ifndef ATTN_TRAIN_TOKENIZER_H
#define ATTN_TRAIN_TOKENIZER_H

#include <stddef.h>
#include "attn/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two files of a tokenizer, not NUL-terminated.  attn_tokenizer_open reads them. */
typedef struct {
  char *merges;
  size_t merges_bytes;
  char *vocab; /* ids in GPT-2's order: 256 bytes, merges, then <|endoftext|> if wanted */
  size_t vocab_bytes;
  size_t size; /* number of ids, V */
} attn_bpe_files;

/* attn_bpe_train -- learns from TEXT until there are SIZE ids.
 * Method:  TEXT is split into words as for encoding.  Again and again the pair of neighbouring
 *          tokens that stands in most places (over all words; overlapping places count) becomes a
 *          merge, and the token that it makes gets the next id; on a tie the pair whose left token
 *          has the lowest id, then the right one.  It ends early when no pair stands in two places;
 *          files->size is less than SIZE then.
 * in:      end_of_text: non-zero = <|endoftext|> gets the last id, and where it stands in TEXT it
 *          separates texts and is not learned from.
 *          size: 256 (257 with end_of_text) to 2^20.  run: NULL or its `interrupted` is polled.
 * out:     *files, to be freed by attn_bpe_files_free.
 * Errors:  ATTN_E_EMPTY_TEXT, ATTN_E_TOO_LONG (above 2^30 bytes), ATTN_E_RANGE (size),
 * ATTN_E_NOMEM, ATTN_E_INTERRUPTED. Cost:    O(bytes) to count the words, then for each merge the
 * bytes of the different words that hold it.  Memory: about 60 bytes for each byte of the different
 * words. */
attn_status attn_bpe_train (attn_bpe_files *files, const char *text, size_t bytes, size_t size,
                            int end_of_text, const attn_run *run, attn_error *err);
void attn_bpe_files_free (attn_bpe_files *files);

#ifdef __cplusplus
}
#endif

#endif
