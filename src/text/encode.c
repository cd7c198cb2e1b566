/* Text to ids: special tokens, words, merges. */
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "text/bpe.h"
#include "text/pretokenize.h"
#include "text/tokenizer.h"

/* A word that was encoded before in this call: where it stands in the text, and where its ids stand
 * in the result. */
typedef struct {
  size_t start, bytes; /* bytes 0 = free */
  size_t first_id, ids;
} seen_word;

enum {
  SEEN_WORDS_MAX = 8192, /* 256 KiB: stays in the second-level cache */
  SEEN_BYTES_MAX = 32,   /* longer words rarely come again */
  BYTES_A_SEEN_WORD = 64 /* short texts get a short table */
};

/* One call. */
typedef struct {
  const attn_tokenizer *tokenizer;
  const char *text;
  int32_t *ids;
  size_t T, capacity;
  bpe_scratch scratch;
  seen_word *seen;   /* by hash of the word; a later word takes the place of an earlier one */
  size_t seen_count; /* a power of two */
} encoding;

static attn_status start_encoding (encoding *e, size_t bytes, attn_error *err)
{
  e->seen_count = 16;
  while (e->seen_count < SEEN_WORDS_MAX && e->seen_count < bytes / BYTES_A_SEEN_WORD)
    e->seen_count *= 2;
  e->seen = attn_alloc_zero (e->seen_count, sizeof *e->seen);
  if (e->seen == NULL)
    return attn_no_memory (err, "the words of a text", e->seen_count, sizeof *e->seen);
  return attn_grow (&e->ids, &e->capacity, 1, sizeof *e->ids, err);
}

static attn_status reserve_ids (encoding *e, size_t more, attn_error *err)
{
  size_t needed;
  if (!size_add (e->T, more, &needed))
    return attn_no_memory (err, "the ids of a text", more, sizeof *e->ids);
  return attn_grow (&e->ids, &e->capacity, needed, sizeof *e->ids, err);
}

/* place_of -- the place of a word in the table of those seen. */
static seen_word *place_of (const encoding *e, const char *word, size_t bytes)
{
  uint64_t hash = bytes;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ (unsigned char)word[i]) * 0x100000001b3u;
  return &e->seen[(size_t)(hash ^ hash >> 29) & (e->seen_count - 1)];
}

/* encode_word -- appends the ids of text[start .. start + bytes - 1]. */
static attn_status encode_word (encoding *e, size_t start, size_t bytes, attn_error *err)
{
  const attn_tokenizer *t = e->tokenizer;
  const char *word = e->text + start;
  attn_status status = reserve_ids (e, bytes, err);
  if (status != ATTN_OK)
    return status;
  bool kept = bytes <= SEEN_BYTES_MAX;
  seen_word *seen = kept ? place_of (e, word, bytes) : NULL;
  if (kept && seen->bytes == bytes && memcmp (e->text + seen->start, word, bytes) == 0) {
    memcpy (e->ids + e->T, e->ids + seen->first_id, seen->ids * sizeof *e->ids);
    e->T += seen->ids;
    return ATTN_OK;
  }
  size_t count;
  status =
      bpe_encode (&t->merges, t->byte_ids, word, bytes, &e->scratch, e->ids + e->T, &count, err);
  if (status != ATTN_OK)
    return status;
  if (kept)
    *seen = (seen_word){.start = start, .bytes = bytes, .first_id = e->T, .ids = count};
  e->T += count;
  return ATTN_OK;
}

/* encode_plain -- appends the ids of text[start .. end - 1], a text of its own: what stands before
 * and behind has no part in how it splits into words. */
static attn_status encode_plain (encoding *e, size_t start, size_t end, attn_error *err)
{
  attn_status status = ATTN_OK;
  for (size_t at = start; at < end && status == ATTN_OK;) {
    size_t behind = word_end (e->text, end, at);
    status = encode_word (e, at, behind - at, err);
    at = behind;
  }
  return status;
}

size_t find_end_of_text (const char *text, size_t start, size_t end)
{
  while (end - start >= END_OF_TEXT_BYTES) {
    const char *first = memchr (text + start, END_OF_TEXT[0], end - start - END_OF_TEXT_BYTES + 1);
    if (first == NULL)
      break;
    start = (size_t)(first - text);
    if (memcmp (first, END_OF_TEXT, END_OF_TEXT_BYTES) == 0)
      return start;
    start++;
  }
  return end;
}

/* encode_special -- like encode_plain for the whole text, with <|endoftext|> as its one id. */
static attn_status encode_special (encoding *e, size_t bytes, attn_error *err)
{
  attn_status status = ATTN_OK;
  for (size_t at = 0; at < bytes && status == ATTN_OK;) {
    size_t special = find_end_of_text (e->text, at, bytes);
    status = encode_plain (e, at, special, err);
    at = special;
    if (status == ATTN_OK && special < bytes) {
      status = reserve_ids (e, 1, err);
      if (status == ATTN_OK)
        e->ids[e->T++] = e->tokenizer->end_of_text;
      at += END_OF_TEXT_BYTES;
    }
  }
  return status;
}

attn_status attn_tokenizer_encode (const attn_tokenizer *tokenizer, const char *text, size_t bytes,
                                   int special, int32_t **ids, size_t *T, attn_error *err)
{
  encoding e = {.tokenizer = tokenizer, .text = text};
  *ids = NULL;
  *T = 0;
  if (bytes > UINT32_MAX)
    return attn_fail (err, ATTN_E_TOO_LONG, "text: expected at most %lu bytes, got %zu",
                      (unsigned long)UINT32_MAX, bytes);
  attn_status status = start_encoding (&e, bytes, err);
  if (status == ATTN_OK)
    status = special != 0 && tokenizer->end_of_text >= 0 ? encode_special (&e, bytes, err)
                                                         : encode_plain (&e, 0, bytes, err);
  if (status == ATTN_OK) {
    *ids = e.ids;
    *T = e.T;
    e.ids = NULL;
  }
  attn_free (e.ids);
  attn_free (e.seen);
  bpe_free (&e.scratch);
  return status;
}

void attn_ids_free (int32_t **ids)
{
  attn_free (*ids);
  *ids = NULL;
}
