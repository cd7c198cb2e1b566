/* Writing tokens as text, in the byte alphabet. */
#ifndef TEXT_OUTPUT_H
#define TEXT_OUTPUT_H

#include <stddef.h>
#include "attn/status.h"
#include "text/vocabulary.h"

/* A text that grows.  Zero-fill to start; `text` is freed by attn_free. */
typedef struct {
  char *text;
  size_t bytes, capacity;
} text_output;

/* output_append -- adds BYTES bytes of TEXT.  Errors: ATTN_E_NOMEM. */
attn_status output_append (text_output *out, const char *text, size_t bytes, attn_error *err);

/* output_token -- adds the symbols of token ID, as UTF-8.  Errors: ATTN_E_NOMEM. */
attn_status output_token (text_output *out, const vocabulary *v, int32_t id, attn_error *err);

/* output_vocabulary -- adds the text of a vocab.json: the tokens in the order of their ids, in
 * ASCII with \u escapes, byte for byte as Python's json.dumps writes them.  Errors: ATTN_E_NOMEM.
 */
attn_status output_vocabulary (text_output *out, const vocabulary *v, attn_error *err);

#endif
