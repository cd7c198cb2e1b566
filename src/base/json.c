#include "base/json.h"

#include <cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct json_document {
  cJSON *root;
  char *source;
};

/* Keys in messages are cut to this many bytes. */
enum { SHOWN_MAX = 120 };

static const cJSON *node_of (json_value value)
{
  return value.node;
}

/* ---- parsing ---- */

/* What the library lets through or answers by deep recursion. */
static attn_status check_text (const char *source, const char *text, size_t bytes, attn_error *err)
{
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < bytes; i++) {
    char c = text[i];
    if (c == '\0')
      return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: not JSON: NUL byte at byte %zu", source, i);
    if (in_string && c == '\\') {
      if (bytes - i > 5 && memcmp (text + i, "\\u0000", 6) == 0)
        return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: a string with \\u0000 at byte %zu",
                          source, i);
      i++; /* the escaped character, a quote for example */
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++depth > JSON_DEPTH_MAX)
        return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                          "%s: nested deeper than %d arrays and objects at byte %zu", source,
                          JSON_DEPTH_MAX, i);
    } else if (!in_string && (c == ']' || c == '}') && depth > 0) {
      depth--;
    }
  }
  return ATTN_OK;
}

/* skip_space -- index of the first byte from START that is no JSON white space. */
static size_t skip_space (const char *text, size_t start, size_t bytes)
{
  while (start < bytes &&
         (text[start] == ' ' || text[start] == '\t' || text[start] == '\n' || text[start] == '\r'))
    start++;
  return start;
}

static attn_status fail_syntax (const char *source, const char *text, size_t at, size_t bytes,
                                attn_error *err)
{
  if (at + 1 >= bytes) /* the library points at the last byte when it wants more */
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: not JSON: it breaks off after %zu bytes",
                      source, bytes);
  int shown = (int)(bytes - at < 20 ? bytes - at : 20);
  return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: not JSON at byte %zu: '%.*s'", source, at,
                    shown, text + at);
}

attn_status json_parse (json_document **document, const char *source, const char *text,
                        size_t bytes, attn_error *err)
{
  attn_status status;
  const char *end = NULL;
  size_t source_bytes = strlen (source) + 1;
  *document = NULL;

  json_document *doc = attn_alloc_zero (1, sizeof *doc);
  if (doc == NULL)
    return attn_no_memory (err, source, 1, sizeof *doc);
  doc->source = attn_alloc (source_bytes, 1);
  if (doc->source == NULL) {
    status = attn_no_memory (err, source, source_bytes, 1);
    goto done;
  }
  memcpy (doc->source, source, source_bytes);

  status = check_text (source, text, bytes, err);
  if (status != ATTN_OK)
    goto done;
  if (bytes == 0) {
    status = attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: not JSON: it is empty", source);
    goto done;
  }
  doc->root = cJSON_ParseWithLengthOpts (text, bytes, &end, 0);
  size_t at = end != NULL ? (size_t)(end - text) : 0;
  if (doc->root != NULL)
    at = skip_space (text, at, bytes);
  if (doc->root == NULL || at != bytes) {
    status = fail_syntax (source, text, at, bytes, err);
    goto done;
  }
  *document = doc;
  doc = NULL;
done:
  json_free (&doc);
  return status;
}

void json_free (json_document **document)
{
  if (*document == NULL)
    return;
  cJSON_Delete ((*document)->root);
  attn_free ((*document)->source);
  attn_free (*document);
  *document = NULL;
}

/* ---- walking ---- */

json_value json_root (const json_document *document)
{
  return (json_value){.node = document->root, .source = document->source};
}

json_kind json_kind_of (json_value value)
{
  const cJSON *node = node_of (value);
  if (node == NULL)
    return JSON_ABSENT;
  switch (node->type & 0xff) {
  case cJSON_True:
  case cJSON_False:
    return JSON_BOOLEAN;
  case cJSON_Number:
    return JSON_NUMBER;
  case cJSON_String:
    return JSON_STRING;
  case cJSON_Array:
    return JSON_ARRAY;
  case cJSON_Object:
    return JSON_OBJECT;
  default:
    return JSON_NULL;
  }
}

const char *json_key (json_value value)
{
  const cJSON *node = node_of (value);
  return node != NULL && node->string != NULL ? node->string : "";
}

/* member -- the value of NODE inside CONTAINER, with its names for messages. */
static json_value member (json_value container, const cJSON *node)
{
  json_value value = {.node = node, .source = container.source};
  bool keyed = node != NULL && node->string != NULL;
  value.name = keyed ? node->string : container.name;
  value.owner = keyed ? container.name : container.owner;
  return value;
}

json_value json_first (json_value container)
{
  const cJSON *node = node_of (container);
  return member (container, node != NULL ? node->child : NULL);
}

json_value json_next (json_value value)
{
  const cJSON *node = node_of (value);
  if (node == NULL)
    return value;
  value.node = node->next;
  if (node->next != NULL && node->next->string != NULL)
    value.name = node->next->string;
  return value;
}

size_t json_count (json_value container)
{
  size_t count = 0;
  for (json_value v = json_first (container); v.node != NULL; v = json_next (v))
    count++;
  return count;
}

json_value json_find (json_value object, const char *key)
{
  if (json_kind_of (object) != JSON_OBJECT)
    return (json_value){.source = object.source, .name = key, .owner = object.name};
  json_value v = json_first (object);
  while (v.node != NULL && strcmp (json_key (v), key) != 0)
    v = json_next (v);
  if (v.node == NULL)
    return (json_value){.source = object.source, .name = key, .owner = object.name};
  return v;
}

/* ---- reading ---- */

static const char *kind_text (json_kind kind)
{
  static const char *const texts[] = {"nothing",  "null",     "a boolean", "a number",
                                      "a string", "an array", "an object"};
  return texts[kind];
}

/* fail_value -- the one wording of a value that does not fit: EXPECTED, but CAME. */
static attn_status fail_value (json_value value, const char *expected, const char *came,
                               attn_error *err)
{
  if (value.name == NULL)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: expected %s, got %s", value.source, expected,
                      came);
  if (value.owner == NULL)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: '%.*s': expected %s, got %s", value.source,
                      SHOWN_MAX, value.name, expected, came);
  return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: '%.*s' of '%.*s': expected %s, got %s",
                    value.source, SHOWN_MAX, value.name, SHOWN_MAX, value.owner, expected, came);
}

static attn_status fail_kind (json_value value, const char *expected, attn_error *err)
{
  return fail_value (value, expected, kind_text (json_kind_of (value)), err);
}

static int compare_keys (const void *a, const void *b)
{
  const char *const *x = a;
  const char *const *y = b;
  return strcmp (*x, *y);
}

attn_status json_check_unique (json_value object, attn_error *err)
{
  if (json_kind_of (object) != JSON_OBJECT)
    return fail_kind (object, "an object", err);
  size_t count = json_count (object);
  const char **keys = attn_alloc (count, sizeof *keys);
  if (keys == NULL)
    return attn_no_memory (err, object.source, count, sizeof *keys);
  size_t n = 0;
  for (json_value v = json_first (object); v.node != NULL; v = json_next (v))
    keys[n++] = json_key (v);
  qsort (keys, n, sizeof *keys, compare_keys);
  attn_status status = ATTN_OK;
  for (size_t i = 1; i < n && status == ATTN_OK; i++)
    if (strcmp (keys[i - 1], keys[i]) == 0)
      status = attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: the key '%.*s' appears twice",
                          object.source, SHOWN_MAX, keys[i]);
  attn_free (keys);
  return status;
}

attn_status json_read_number (json_value value, double *result, attn_error *err)
{
  if (json_kind_of (value) != JSON_NUMBER)
    return fail_kind (value, "a number", err);
  double number = node_of (value)->valuedouble;
  if (!isfinite (number))
    return fail_value (value, "a finite number", "one beyond the range of double", err);
  *result = number;
  return ATTN_OK;
}

attn_status json_read_size (json_value value, size_t *result, attn_error *err)
{
  static const char expected[] = "a whole number from 0 to 2^53 - 1";
  if (json_kind_of (value) != JSON_NUMBER)
    return fail_kind (value, expected, err);
  double number = node_of (value)->valuedouble;
  if (!(number >= 0 && number < 0x1p53) || number != floor (number) || number > (double)SIZE_MAX) {
    attn_error came;
    attn_fail (&came, ATTN_E_MODEL_CORRUPT, "%.17g", number);
    return fail_value (value, expected, came.text, err);
  }
  *result = (size_t)number;
  return ATTN_OK;
}

attn_status json_read_boolean (json_value value, bool *result, attn_error *err)
{
  if (json_kind_of (value) != JSON_BOOLEAN)
    return fail_kind (value, "true or false", err);
  *result = (node_of (value)->type & 0xff) == cJSON_True;
  return ATTN_OK;
}

attn_status json_read_string (json_value value, const char **result, attn_error *err)
{
  if (json_kind_of (value) != JSON_STRING)
    return fail_kind (value, "a string", err);
  *result = node_of (value)->valuestring;
  return ATTN_OK;
}

attn_status json_require (json_value object, const char *key, json_value *result, attn_error *err)
{
  if (json_kind_of (object) != JSON_OBJECT)
    return fail_kind (object, "an object", err);
  *result = json_find (object, key);
  if (result->node == NULL)
    return fail_value (*result, "a value", "nothing (the key is missing)", err);
  return ATTN_OK;
}
