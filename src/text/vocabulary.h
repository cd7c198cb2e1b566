/* The tokens of a tokenizer: id to bytes, and bytes to id. */
#ifndef TEXT_VOCABULARY_H
#define TEXT_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"

/* Ids lie below this, far above the vocabularies in use, so that a broken file cannot ask for
 * gigabytes by one large id. */
enum { VOCABULARY_MAX = 1 << 20 };

typedef struct {
  size_t start;  /* of its bytes in `bytes` */
  size_t length; /* 0 = the id is not used */
} vocabulary_token;

typedef struct {
  int32_t id;    /* -1 = free */
  uint32_t hash; /* of the token: most slots of other tokens are told apart by it */
} vocabulary_slot;

/* Zero-fill to start; free with vocabulary_free. */
typedef struct {
  vocabulary_token *tokens; /* by id */
  size_t size, capacity;    /* highest id + 1; elements allocated */
  size_t used;              /* ids with a token */
  char *bytes;              /* the bytes of all tokens, one behind another */
  size_t bytes_used, bytes_capacity;
  vocabulary_slot *slots; /* hash table with linear probing */
  size_t slot_count;      /* a power of two, at least twice `used` */
} vocabulary;

void vocabulary_free (vocabulary *v);

/* vocabulary_find -- id of the token with these bytes, or -1. */
int32_t vocabulary_find (const vocabulary *v, const char *token, size_t length);

/* vocabulary_has -- whether ID is in use; vocabulary_is -- whether by the
 * token with these bytes. */
bool vocabulary_has (const vocabulary *v, int32_t id);
bool vocabulary_is (const vocabulary *v, int32_t id, const char *token, size_t length);

/* vocabulary_add -- makes TOKEN (copied, not empty) the token of ID (not in use,
 * 0 <= ID < VOCABULARY_MAX).
 * Errors: ATTN_E_RANGE (another id has it), ATTN_E_NOMEM; the tokens are as before then. */
attn_status vocabulary_add (vocabulary *v, int32_t id, const char *token, size_t length,
                            attn_error *err);

#endif
