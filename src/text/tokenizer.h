/* The parts of an opened tokenizer. */
#ifndef TEXT_TOKENIZER_H
#define TEXT_TOKENIZER_H

#include "attn/tokenizer.h"
#include "text/merges.h"
#include "text/vocabulary.h"

/* The one special token. */
#define END_OF_TEXT "<|endoftext|>"
enum { END_OF_TEXT_BYTES = sizeof END_OF_TEXT - 1 };

struct attn_tokenizer {
  vocabulary vocabulary;
  merges merges;
  int32_t byte_ids[256]; /* id of each single byte */
  int32_t end_of_text;   /* -1 = none */
};

/* find_end_of_text -- index of the first <|endoftext|> in text[start .. end - 1], or END. */
size_t find_end_of_text (const char *text, size_t start, size_t end);

/* vocabulary_read -- fills V (zero-filled) from the text of a vocab.json: an object that gives each
 * token, in the byte alphabet, its id.
 * Errors: ATTN_E_MODEL_CORRUPT (names the key), ATTN_E_NOMEM. */
attn_status vocabulary_read (vocabulary *v, const char *text, size_t bytes, attn_error *err);

#endif
