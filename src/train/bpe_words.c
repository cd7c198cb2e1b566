#include "train/bpe_words.h"

#include <string.h>

#include "base/alloc.h"
#include "text/pretokenize.h"

enum {
  SLOTS_MIN = 1024,
  WORDS_A_POLL = 1 << 16 /* a few milliseconds */
};

void bpe_words_free (bpe_words *w)
{
  attn_free (w->words);
  attn_free (w->ids);
  attn_free (w->slots);
  *w = (bpe_words){0};
}

/* FNV-1a (Fowler, Noll and Vo), 64 bits. */
static uint64_t hash_of (const char *word, size_t bytes)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ (unsigned char)word[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

/* slot_of -- the slot that holds the word, or the free one where it would go. */
static uint32_t *slot_of (const bpe_words *w, const char *text, size_t bytes)
{
  size_t mask = w->slot_count - 1;
  size_t slot = (size_t)hash_of (text, bytes) & mask;
  for (; w->slots[slot] != 0; slot = (slot + 1) & mask) {
    const bpe_word *word = &w->words[w->slots[slot] - 1];
    if (word->bytes == bytes && memcmp (word->text, text, bytes) == 0)
      break;
  }
  return &w->slots[slot];
}

static attn_status grow_slots (bpe_words *w, attn_error *err)
{
  if (2 * (w->size + 1) <= w->slot_count)
    return ATTN_OK;
  size_t count = w->slot_count > 0 ? 2 * w->slot_count : SLOTS_MIN;
  uint32_t *slots = attn_alloc_zero (count, sizeof *slots);
  if (slots == NULL)
    return attn_no_memory (err, "the words of a text", count, sizeof *slots);
  attn_free (w->slots);
  w->slots = slots;
  w->slot_count = count;
  for (size_t i = 0; i < w->size; i++)
    *slot_of (w, w->words[i].text, w->words[i].bytes) = (uint32_t)(i + 1);
  return ATTN_OK;
}

static attn_status count_word (bpe_words *w, const char *text, size_t bytes, attn_error *err)
{
  attn_status status = grow_slots (w, err);
  if (status == ATTN_OK)
    status = attn_grow (&w->words, &w->capacity, w->size + 1, sizeof *w->words, err);
  if (status != ATTN_OK)
    return status;
  uint32_t *slot = slot_of (w, text, bytes);
  if (*slot == 0) {
    w->words[w->size++] = (bpe_word){.text = text, .bytes = (uint32_t)bytes};
    w->bytes += bytes;
    *slot = (uint32_t)w->size;
  }
  w->words[*slot - 1].count++;
  return ATTN_OK;
}

attn_status bpe_words_count (bpe_words *w, const char *text, size_t bytes, const attn_run *run,
                             attn_error *err)
{
  attn_status status = ATTN_OK;
  size_t done = 0;
  for (size_t at = 0; at < bytes && status == ATTN_OK;) {
    size_t behind = word_end (text, bytes, at);
    status = count_word (w, text + at, behind - at, err);
    at = behind;
    if (++done % WORDS_A_POLL == 0 && run != NULL && run->interrupted != NULL &&
        run->interrupted (run->interrupted_data) != 0)
      return attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
  }
  return status;
}

attn_status bpe_words_split (bpe_words *w, const int32_t byte_ids[256], attn_error *err)
{
  w->ids = attn_alloc (w->bytes, sizeof *w->ids);
  if (w->ids == NULL)
    return attn_no_memory (err, "the words of a text", w->bytes, sizeof *w->ids);
  size_t at = 0;
  for (size_t i = 0; i < w->size; i++) {
    bpe_word *word = &w->words[i];
    word->first_token = at;
    word->tokens = word->bytes;
    for (uint32_t b = 0; b < word->bytes; b++)
      w->ids[at++] = byte_ids[(unsigned char)word->text[b]];
  }
  return ATTN_OK;
}
