#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "text/byte_alphabet.h"
#include "text/tokenizer.h"

enum { SHOWN_MAX = 120 }; /* bytes of a key that a message shows */

static attn_status fail_key (const char *key, const char *what, attn_error *err)
{
  return attn_fail (err, ATTN_E_MODEL_CORRUPT, "vocab.json: '%.*s': %s", SHOWN_MAX, key, what);
}

/* add_member -- adds one "key": id.  TOKEN has room for the bytes of the key. */
static attn_status add_member (vocabulary *v, json_value member, char *token, attn_error *err)
{
  const char *key = json_key (member);
  size_t id, length;
  attn_status status = json_read_size (member, &id, err);
  if (status != ATTN_OK)
    return status;
  if (id >= VOCABULARY_MAX)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "vocab.json: '%.*s': id %zu; the highest is %d",
                      SHOWN_MAX, key, id, VOCABULARY_MAX - 1);
  if (vocabulary_has (v, (int32_t)id))
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "vocab.json: '%.*s': id %zu belongs to an earlier token", SHOWN_MAX, key, id);
  if (!byte_alphabet_decode (key, strlen (key), token, &length))
    return fail_key (key, "a character that is not in GPT-2's byte alphabet", err);
  if (length == 0)
    return fail_key (key, "an empty token", err);
  status = vocabulary_add (v, (int32_t)id, token, length, err);
  return status == ATTN_E_RANGE ? fail_key (key, "the token appears twice", err) : status;
}

attn_status vocabulary_read (vocabulary *v, const char *text, size_t bytes, attn_error *err)
{
  json_document *document = NULL;
  char *token = NULL;
  attn_status status = json_parse (&document, "vocab.json", text, bytes, err);
  if (status != ATTN_OK)
    goto done;
  json_value root = json_root (document);
  if (json_kind_of (root) != JSON_OBJECT) {
    status =
        attn_fail (err, ATTN_E_MODEL_CORRUPT, "vocab.json: expected an object of tokens and ids");
    goto done;
  }
  token = attn_alloc (bytes, 1); /* no key is longer than the file */
  if (token == NULL) {
    status = attn_no_memory (err, "a token of vocab.json", bytes, 1);
    goto done;
  }
  json_value member = json_first (root);
  for (; json_kind_of (member) != JSON_ABSENT && status == ATTN_OK; member = json_next (member))
    status = add_member (v, member, token, err);
done:
  attn_free (token);
  json_free (&document);
  return status;
}
