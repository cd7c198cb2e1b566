/* GPT-2's byte-level byte-pair encoding (Radford et al. 2019; Sennrich et al. 2016).
 * Ids count from 0, as the model counts them.  Any byte string can be encoded, UTF-8 or not, and
 * decoding gives the same bytes back. */
#ifndef ATTN_TOKENIZER_H
#define ATTN_TOKENIZER_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct attn_tokenizer attn_tokenizer;

/* attn_tokenizer_open -- reads MERGES (text of a merges.txt) and, unless NULL, VOCAB (text of a
 * vocab.json).  Without VOCAB the ids are GPT-2's own order: 256 byte symbols, one id a merge (none
 * for a merge that makes a token which is there already), then <|endoftext|>.  With VOCAB every
 * byte, both parts and the result of every merge must be in it, and ids lie below 2^20.  The texts
 * are not needed after the call.
 * out:     *tokenizer, to be closed by attn_tokenizer_close.
 * Errors:  ATTN_E_MODEL_CORRUPT (names the key or the line), ATTN_E_NOMEM. */
attn_status attn_tokenizer_open (attn_tokenizer **tokenizer, const char *merges,
                                 size_t merges_bytes, const char *vocab, size_t vocab_bytes,
                                 attn_error *err);
void attn_tokenizer_close (attn_tokenizer **tokenizer);

/* attn_tokenizer_size -- number of ids, V; valid ids are 0 to V-1 (some may be unused). */
size_t attn_tokenizer_size (const attn_tokenizer *tokenizer);

/* attn_tokenizer_end_of_text -- id of <|endoftext|>, or -1 when the vocabulary has none. */
int32_t attn_tokenizer_end_of_text (const attn_tokenizer *tokenizer);

/* attn_tokenizer_encode -- ids of TEXT.
 * in:      special: non-zero = the text <|endoftext|> is its one special id, and what stands before
 *          and behind it is split into words as a text of its own; 0 = plain text.
 *          A byte that is not part of valid UTF-8 is treated as one character that is no letter,
 *          number or white space.
 * out:     *ids (at least one element allocated, free with attn_ids_free), *T their number.
 * Errors:  ATTN_E_TOO_LONG (from 2^32 bytes), ATTN_E_NOMEM.
 * Cost:    O(n log n) in the bytes of the longest word, O(n) otherwise. */
attn_status attn_tokenizer_encode (const attn_tokenizer *tokenizer, const char *text, size_t bytes,
                                   int special, int32_t **ids, size_t *T, attn_error *err);
void attn_ids_free (int32_t **ids);

/* attn_tokenizer_view -- bytes of one token, borrowed from the tokenizer; *bytes is their number.
 * Errors:  ATTN_E_RANGE when ID is not in the vocabulary. */
attn_status attn_tokenizer_view (const attn_tokenizer *tokenizer, int32_t id, const char **token,
                                 size_t *bytes, attn_error *err);

/* attn_tokenizer_vocabulary -- the text of a vocab.json with all tokens, which with the merges.txt
 * makes the tokenizer again.  For GPT-2's merges it is byte for byte the published file.
 * out:     *text (not NUL-terminated, free with attn_text_free), *bytes.
 * Errors:  ATTN_E_NOMEM. */
attn_status attn_tokenizer_vocabulary (const attn_tokenizer *tokenizer, char **text, size_t *bytes,
                                       attn_error *err);

/* attn_tokenizer_decode -- the bytes of T ids, one behind another.  Decoding what
 * attn_tokenizer_encode made gives its text back.
 * out:     *text (not NUL-terminated, free with attn_text_free), *bytes.
 * Errors:  ATTN_E_RANGE when an id is not in the vocabulary, ATTN_E_NOMEM. */
attn_status attn_tokenizer_decode (const attn_tokenizer *tokenizer, const int32_t *ids, size_t T,
                                   char **text, size_t *bytes, attn_error *err);
void attn_text_free (char **text);

#ifdef __cplusplus
}
#endif

#endif
