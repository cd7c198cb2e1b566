/* Reading JSON files of a model (config.json, vocab.json, safetensors headers).
 *
 * A document is parsed once and then only read.  Values are small structs passed by value; they
 * borrow from the document.  All failures are ATTN_E_MODEL_CORRUPT with a text that names the
 * source, the key, what was expected and what came; ATTN_E_NOMEM where memory is short.
 *
 * This is the only part of the core that knows the JSON library.  That library allocates with
 * malloc: its allocator can only be replaced for the whole process, which is state that does not
 * belong to us, so injected allocation failures do not reach its tree. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include "attn/status.h"

enum { JSON_DEPTH_MAX = 64 }; /* nested arrays and objects */

typedef struct json_document json_document;

typedef enum {
  JSON_ABSENT, /* no such member, or behind the last one */
  JSON_NULL,
  JSON_BOOLEAN,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
} json_kind;

/* One value; its fields are for json.c only. */
typedef struct {
  const void *node;   /* NULL = absent */
  const char *source; /* for messages: the file */
  const char *name;   /* for messages: its key, or that of its array; NULL at the root */
  const char *owner;  /* for messages: the name of the object that holds it, or NULL */
} json_value;

/* json_parse -- parses BYTES bytes of TEXT; SOURCE (copied) names the file in messages.
 * Refused: anything behind the document, a NUL byte (as such or as \u0000), nesting deeper than
 * JSON_DEPTH_MAX.  A byte order mark is skipped.
 * out:     *document, to be freed by json_free; TEXT is not needed after the call.
 * Cost:    O(bytes). */
attn_status json_parse (json_document **document, const char *source, const char *text,
                        size_t bytes, attn_error *err);
void json_free (json_document **document);

json_value json_root (const json_document *document);

/* json_kind_of -- kind of VALUE; json_key -- its key in an object, "" otherwise. */
json_kind json_kind_of (json_value value);
const char *json_key (json_value value);

/* json_first, json_next -- members of an object or elements of an array in the order of the file;
 * absent at the end (and for values without members).  O(1) a step. */
json_value json_first (json_value container);
json_value json_next (json_value value);

/* json_count -- number of members or elements; O(that number). */
size_t json_count (json_value container);

/* json_find -- member KEY (case-sensitive) of OBJECT, the first of equal ones; absent if there is
 * none or OBJECT is no object.  O(members): not for loops over large objects. */
json_value json_find (json_value object, const char *key);

/* json_check_unique -- fails when OBJECT is no object or has a key twice (not deeper down).
 * Cost: O(n log n) in its members. */
attn_status json_check_unique (json_value object, attn_error *err);

/* json_read_* -- the value as the named type; fails when it is of another kind.
 *   size     a whole number from 0 to 2^53 - 1.  Larger ones could have been rounded when the text
 *            was read, so they are refused, never rounded in silence.
 *   number   a finite number.
 *   boolean  true or false.
 *   string   NUL-terminated UTF-8, borrowed from the document. */
attn_status json_read_size (json_value value, size_t *result, attn_error *err);
attn_status json_read_number (json_value value, double *result, attn_error *err);
attn_status json_read_boolean (json_value value, bool *result, attn_error *err);
attn_status json_read_string (json_value value, const char **result, attn_error *err);

/* json_require -- json_find that fails when the member is missing. */
attn_status json_require (json_value object, const char *key, json_value *result, attn_error *err);

#endif
