#include "text/output.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "text/byte_alphabet.h"

attn_status output_append (text_output *out, const char *text, size_t bytes, attn_error *err)
{
  size_t needed;
  if (!size_add (out->bytes, bytes, &needed))
    return attn_no_memory (err, "a text", bytes, 1);
  attn_status status = attn_grow (&out->text, &out->capacity, needed, 1, err);
  if (status != ATTN_OK)
    return status;
  memcpy (out->text + out->bytes, text, bytes);
  out->bytes = needed;
  return ATTN_OK;
}

attn_status output_token (text_output *out, const vocabulary *v, int32_t id, attn_error *err)
{
  const vocabulary_token *token = &v->tokens[id];
  attn_status status = ATTN_OK;
  for (size_t i = 0; i < token->length && status == ATTN_OK; i++) {
    char symbol[BYTE_SYMBOL_MAX];
    size_t bytes = byte_symbol ((unsigned char)v->bytes[token->start + i], symbol);
    status = output_append (out, symbol, bytes, err);
  }
  return status;
}

/* append_escaped -- adds the symbol of BYTE as it stands in a JSON string. */
static attn_status append_escaped (text_output *out, unsigned char byte, attn_error *err)
{
  char symbol[BYTE_SYMBOL_MAX], escape[8];
  size_t bytes = byte_symbol (byte, symbol);
  if (bytes == 2) {
    unsigned code = ((unsigned char)symbol[0] & 0x1fu) << 6 | ((unsigned char)symbol[1] & 0x3fu);
    return output_append (out, escape, (size_t)snprintf (escape, sizeof escape, "\\u%04x", code),
                          err);
  }
  attn_status status = ATTN_OK;
  if (symbol[0] == '"' || symbol[0] == '\\')
    status = output_append (out, "\\", 1, err);
  return status == ATTN_OK ? output_append (out, symbol, 1, err) : status;
}

/* append_member -- adds one "token": id. */
static attn_status append_member (text_output *out, const vocabulary *v, int32_t id,
                                  attn_error *err)
{
  const vocabulary_token *token = &v->tokens[id];
  char number[24];
  attn_status status = output_append (out, "\"", 1, err);
  for (size_t i = 0; i < token->length && status == ATTN_OK; i++)
    status = append_escaped (out, (unsigned char)v->bytes[token->start + i], err);
  if (status != ATTN_OK)
    return status;
  int length = snprintf (number, sizeof number, "\": %ld", (long)id);
  return output_append (out, number, (size_t)length, err);
}

attn_status output_vocabulary (text_output *out, const vocabulary *v, attn_error *err)
{
  attn_status status = output_append (out, "{", 1, err);
  const char *separator = "";
  for (size_t id = 0; id < v->size && status == ATTN_OK; id++) {
    if (!vocabulary_has (v, (int32_t)id))
      continue;
    status = output_append (out, separator, strlen (separator), err);
    if (status == ATTN_OK)
      status = append_member (out, v, (int32_t)id, err);
    separator = ", ";
  }
  return status == ATTN_OK ? output_append (out, "}", 1, err) : status;
}
