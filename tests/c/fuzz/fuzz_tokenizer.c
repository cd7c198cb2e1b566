/* libFuzzer target of the tokenizer.  The first byte of an input says what the rest is:
 *   bit 0    special tokens are on
 *   bit 1    0: a text for a tokenizer with a few merges;
 *            1: a merges.txt and, behind the first NUL byte, a vocab.json, both perhaps broken
 *   bit 2    with bit 1 off, the merges are learned from the text
 * Whatever opens must give every text back after encoding and decoding. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "attn/tokenizer.h"
#include "attn/train_tokenizer.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const char few_merges[] = "#version: 0.2\n"
                                 "\xC4\xA0 t\nh e\n\xC4\xA0t he\na b\nb c\nab c\na bc\nabc a\n"
                                 "a a\naa aa\n\xC3\xA2 \xC4\xA2\n' s\n\xC4\xA0 \xC4\xA0\n";

static void require (int holds)
{
  if (!holds)
    abort ();
}

static void round_trip (const attn_tokenizer *t, const char *text, size_t bytes, int special)
{
  int32_t *ids;
  char *back;
  size_t T, back_bytes;
  require (attn_tokenizer_encode (t, text, bytes, special, &ids, &T, NULL) == ATTN_OK);
  require (T <= bytes);
  for (size_t i = 0; i < T; i++)
    require (ids[i] >= 0 && (size_t)ids[i] < attn_tokenizer_size (t));
  require (attn_tokenizer_decode (t, ids, T, &back, &back_bytes, NULL) == ATTN_OK);
  require (back_bytes == bytes && memcmp (back, text, bytes) == 0);
  attn_text_free (&back);
  attn_ids_free (&ids);
}

/* train -- a tokenizer that learned from the text; it opens in the same way
 * without its vocabulary. */
static void train (const char *text, size_t bytes, int special)
{
  attn_bpe_files files;
  attn_tokenizer *t;
  attn_status status = attn_bpe_train (&files, text, bytes, 320, special, NULL, NULL);
  require (status == (bytes > 0 ? ATTN_OK : ATTN_E_EMPTY_TEXT));
  if (status != ATTN_OK)
    return;
  require (files.size <= 320);
  for (int i = 0; i < 2; i++) {
    const char *vocab = i == 0 ? files.vocab : NULL;
    require (attn_tokenizer_open (&t, files.merges, files.merges_bytes, vocab, files.vocab_bytes,
                                  NULL) == ATTN_OK);
    require (attn_tokenizer_size (t) == files.size + (vocab == NULL && !special));
    round_trip (t, text, bytes, special);
    attn_tokenizer_close (&t);
  }
  attn_bpe_files_free (&files);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  int special = data[0] & 1, files = data[0] & 2, learn = data[0] & 4;
  const char *text = (const char *)data + 1;
  size_t bytes = size - 1, merges_bytes = bytes, vocab_bytes = 0;
  const char *vocab = NULL;
  if (files) {
    const char *nul = memchr (text, '\0', bytes);
    if (nul != NULL) {
      merges_bytes = (size_t)(nul - text);
      vocab = nul + 1;
      vocab_bytes = bytes - merges_bytes - 1;
    }
  }
  if (learn && !files) {
    train (text, bytes, special);
    return 0;
  }
  attn_tokenizer *t;
  attn_error err;
  attn_status status =
      files ? attn_tokenizer_open (&t, text, merges_bytes, vocab, vocab_bytes, &err)
            : attn_tokenizer_open (&t, few_merges, sizeof few_merges - 1, NULL, 0, &err);
  if (status == ATTN_OK)
    round_trip (t, text, bytes, special);
  else
    require (files && status == ATTN_E_MODEL_CORRUPT && strlen (err.text) > 0);
  attn_tokenizer_close (&t);
  return 0;
}
