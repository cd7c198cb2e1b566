#include "text/tokenizer.h"

#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "text/byte_alphabet.h"
#include "text/output.h"

/* add_bytes -- the 256 single bytes as ids 0 to 255 in GPT-2's order. */
static attn_status add_bytes (vocabulary *v, attn_error *err)
{
  attn_status status = ATTN_OK;
  for (int rank = 0; rank < 256 && status == ATTN_OK; rank++) {
    char byte = (char)byte_in_order (rank);
    status = vocabulary_add (v, rank, &byte, 1, err);
  }
  return status;
}

/* find_bytes -- fills byte_ids; every byte must have a token, or some texts
 * could not be encoded. */
static attn_status find_bytes (attn_tokenizer *t, attn_error *err)
{
  for (int i = 0; i < 256; i++) {
    char byte = (char)i, symbol[BYTE_SYMBOL_MAX];
    t->byte_ids[i] = vocabulary_find (&t->vocabulary, &byte, 1);
    if (t->byte_ids[i] < 0)
      return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "vocab.json: no token '%.*s', which stands for the single byte %d",
                        (int)byte_symbol ((unsigned char)i, symbol), symbol, i);
  }
  return ATTN_OK;
}

/* add_end_of_text -- gives <|endoftext|> the next id, unless a merge has made it. */
static attn_status add_end_of_text (vocabulary *v, attn_error *err)
{
  if (vocabulary_find (v, END_OF_TEXT, END_OF_TEXT_BYTES) >= 0)
    return ATTN_OK;
  if (v->size >= VOCABULARY_MAX)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "merges.txt: more tokens than a vocabulary may have (%d)", VOCABULARY_MAX);
  return vocabulary_add (v, (int32_t)v->size, END_OF_TEXT, END_OF_TEXT_BYTES, err);
}

attn_status attn_tokenizer_open (attn_tokenizer **tokenizer, const char *merges_text,
                                 size_t merges_bytes, const char *vocab, size_t vocab_bytes,
                                 attn_error *err)
{
  *tokenizer = NULL;
  attn_tokenizer *t = attn_alloc_zero (1, sizeof *t);
  if (t == NULL)
    return attn_no_memory (err, "a tokenizer", 1, sizeof *t);
  vocabulary *v = &t->vocabulary;
  attn_status status = vocab != NULL ? vocabulary_read (v, vocab, vocab_bytes, err) //
                                     : add_bytes (v, err);
  if (status == ATTN_OK)
    status = find_bytes (t, err);
  if (status == ATTN_OK)
    status = merges_read (&t->merges, v, vocab != NULL, merges_text, merges_bytes, err);
  if (status == ATTN_OK && vocab == NULL)
    status = add_end_of_text (v, err);
  t->end_of_text = vocabulary_find (v, END_OF_TEXT, END_OF_TEXT_BYTES);
  if (status == ATTN_OK)
    *tokenizer = t;
  else
    attn_tokenizer_close (&t);
  return status;
}

void attn_tokenizer_close (attn_tokenizer **tokenizer)
{
  if (*tokenizer == NULL)
    return;
  vocabulary_free (&(*tokenizer)->vocabulary);
  merges_free (&(*tokenizer)->merges);
  attn_free (*tokenizer);
  *tokenizer = NULL;
}

size_t attn_tokenizer_size (const attn_tokenizer *tokenizer)
{
  return tokenizer->vocabulary.size;
}

int32_t attn_tokenizer_end_of_text (const attn_tokenizer *tokenizer)
{
  return tokenizer->end_of_text;
}

attn_status attn_tokenizer_view (const attn_tokenizer *tokenizer, int32_t id, const char **token,
                                 size_t *bytes, attn_error *err)
{
  const vocabulary *v = &tokenizer->vocabulary;
  if (id < 0 || (size_t)id >= v->size)
    return attn_fail (err, ATTN_E_RANGE, "token id: expected 0 to %zu, got %ld", v->size - 1,
                      (long)id);
  if (!vocabulary_has (v, id))
    return attn_fail (err, ATTN_E_RANGE, "token id %ld is not used by this vocabulary", (long)id);
  *token = v->bytes + v->tokens[id].start;
  *bytes = v->tokens[id].length;
  return ATTN_OK;
}

attn_status attn_tokenizer_vocabulary (const attn_tokenizer *tokenizer, char **text, size_t *bytes,
                                       attn_error *err)
{
  text_output out = {0};
  attn_status status = output_vocabulary (&out, &tokenizer->vocabulary, err);
  if (status != ATTN_OK)
    attn_text_free (&out.text);
  *text = out.text;
  *bytes = status == ATTN_OK ? out.bytes : 0;
  return status;
}

attn_status attn_tokenizer_decode (const attn_tokenizer *tokenizer, const int32_t *ids, size_t T,
                                   char **text, size_t *bytes, attn_error *err)
{
  const char *token;
  size_t length, total = 0;
  *text = NULL;
  *bytes = 0;
  for (size_t i = 0; i < T; i++) {
    attn_status status = attn_tokenizer_view (tokenizer, ids[i], &token, &length, err);
    if (status != ATTN_OK)
      return status;
    if (!size_add (total, length, &total))
      return attn_no_memory (err, "the text", T, length);
  }
  *text = attn_alloc (total, 1);
  if (*text == NULL)
    return attn_no_memory (err, "the text", total, 1);
  for (size_t i = 0; i < T; i++) {
    attn_tokenizer_view (tokenizer, ids[i], &token, &length, NULL);
    memcpy (*text + *bytes, token, length);
    *bytes += length;
  }
  return ATTN_OK;
}

void attn_text_free (char **text)
{
  attn_free (*text);
  *text = NULL;
}
