#include "attn/train_tokenizer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "text/byte_alphabet.h"
#include "text/output.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "train/bpe_pairs.h"
#include "train/bpe_words.h"

enum {
  PLACES_MIN = 2,    /* a pair that stands in one place teaches nothing about other texts */
  TEXT_MAX = 1 << 30 /* bytes: places, at most three a byte, are numbered in 32 bits */
};

/* One training. */
typedef struct {
  bpe_words words;
  bpe_pairs pairs;
  vocabulary vocabulary;
  text_output merges, vocab;
  char *token; /* room for two tokens */
  size_t token_capacity;
} training;

static void free_training (training *t)
{
  bpe_words_free (&t->words);
  bpe_pairs_free (&t->pairs);
  vocabulary_free (&t->vocabulary);
  attn_free (t->merges.text);
  attn_free (t->vocab.text);
  attn_free (t->token);
}

static attn_status check_input (const char *text, size_t bytes, size_t size, int end_of_text,
                                attn_error *err)
{
  size_t lowest = 256 + (end_of_text != 0);
  if (size < lowest || size > VOCABULARY_MAX)
    return attn_fail (err, ATTN_E_RANGE, "size of the vocabulary: expected %zu to %d, got %zu",
                      lowest, VOCABULARY_MAX, size);
  if (bytes == 0 || text == NULL)
    return attn_fail (err, ATTN_E_EMPTY_TEXT, "text: expected some text to learn from, got none");
  if (bytes > TEXT_MAX)
    return attn_fail (err, ATTN_E_TOO_LONG, "text: expected at most %d bytes, got %zu", TEXT_MAX,
                      bytes);
  return ATTN_OK;
}

/* ---- start ---- */

/* count_words -- the words of TEXT, which <|endoftext|> separates into texts when END_OF_TEXT. */
static attn_status count_words (training *t, const char *text, size_t bytes, int end_of_text,
                                const attn_run *run, attn_error *err)
{
  attn_status status = ATTN_OK;
  for (size_t at = 0; at < bytes && status == ATTN_OK;) {
    size_t end = end_of_text ? find_end_of_text (text, at, bytes) : bytes;
    status = bpe_words_count (&t->words, text + at, end - at, run, err);
    at = end + (end < bytes ? END_OF_TEXT_BYTES : 0);
  }
  return status;
}

/* split_words -- all words as single bytes, and the pairs that these make. */
static attn_status split_words (training *t, attn_error *err)
{
  int32_t byte_ids[256];
  attn_status status = ATTN_OK;
  for (int rank = 0; rank < 256 && status == ATTN_OK; rank++) {
    unsigned char byte = byte_in_order (rank);
    byte_ids[byte] = rank;
    status = vocabulary_add (&t->vocabulary, rank, (const char *)&byte, 1, err);
  }
  if (status == ATTN_OK)
    status = bpe_words_split (&t->words, byte_ids, err);
  for (size_t w = 0; w < t->words.size && status == ATTN_OK; w++) {
    const bpe_word *word = &t->words.words[w];
    const int32_t *ids = t->words.ids + word->first_token;
    for (uint32_t i = 0; i + 1 < word->tokens && status == ATTN_OK; i++)
      status = bpe_pairs_add (&t->pairs, ids[i], ids[i + 1], (uint32_t)w, word->count, err);
  }
  return status == ATTN_OK ? bpe_pairs_queue (&t->pairs, err) : status;
}

/* ---- merging ---- */

/* merge_in_word -- replaces LEFT RIGHT by MERGED in one word, from left to right, and brings the
 * counts of all pairs up to date. */
static attn_status merge_in_word (training *t, uint32_t index, int32_t left, int32_t right,
                                  int32_t merged, attn_error *err)
{
  bpe_word *word = &t->words.words[index];
  bpe_pairs *p = &t->pairs;
  int32_t *ids = t->words.ids + word->first_token;
  attn_status status = ATTN_OK;
  uint32_t to = 0;
  for (uint32_t from = 0; from < word->tokens && status == ATTN_OK; to++) {
    if (from + 1 == word->tokens || ids[from] != left || ids[from + 1] != right) {
      ids[to] = ids[from++];
      continue;
    }
    bpe_pairs_subtract (p, left, right, word->count);
    if (to > 0) {
      bpe_pairs_subtract (p, ids[to - 1], left, word->count);
      status = bpe_pairs_add (p, ids[to - 1], merged, index, word->count, err);
    }
    if (from + 2 < word->tokens && status == ATTN_OK) {
      bpe_pairs_subtract (p, right, ids[from + 2], word->count);
      status = bpe_pairs_add (p, merged, ids[from + 2], index, word->count, err);
    }
    ids[to] = merged;
    from += 2;
  }
  word->tokens = to;
  return status;
}

/* add_token -- gives the token made of both of PAIR the next id.
 * No other pair has made it before: where a token stands, no merge has crossed its ends, so what
 * happened between them is what happens to its bytes alone, and that ends with one certain pair. */
static attn_status add_token (training *t, const bpe_pair *pair, attn_error *err)
{
  vocabulary *v = &t->vocabulary;
  vocabulary_token left = v->tokens[pair->left], right = v->tokens[pair->right];
  size_t length = left.length + right.length; /* no longer than a word */
  attn_status status = attn_grow (&t->token, &t->token_capacity, length, 1, err);
  if (status != ATTN_OK)
    return status;
  memcpy (t->token, v->bytes + left.start, left.length);
  memcpy (t->token + left.length, v->bytes + right.start, right.length);
  assert (vocabulary_find (v, t->token, length) < 0);
  return vocabulary_add (v, (int32_t)v->size, t->token, length, err);
}

/* write_merge -- adds PAIR to the text of merges.txt. */
static attn_status write_merge (training *t, const bpe_pair *pair, attn_error *err)
{
  attn_status status = output_token (&t->merges, &t->vocabulary, pair->left, err);
  if (status == ATTN_OK)
    status = output_append (&t->merges, " ", 1, err);
  if (status == ATTN_OK)
    status = output_token (&t->merges, &t->vocabulary, pair->right, err);
  return status == ATTN_OK ? output_append (&t->merges, "\n", 1, err) : status;
}

/* merge_pair -- makes pair INDEX the next merge, in all words that hold it. */
static attn_status merge_pair (training *t, uint32_t index, attn_error *err)
{
  bpe_pair pair = t->pairs.pairs[index]; /* a copy: the table can move */
  int32_t merged = (int32_t)t->vocabulary.size;
  attn_status status = write_merge (t, &pair, err);
  if (status == ATTN_OK)
    status = add_token (t, &pair, err);
  for (uint32_t at = pair.places; at != BPE_NO_PLACE && status == ATTN_OK;) {
    bpe_place place = t->pairs.places[at];
    status = merge_in_word (t, place.word, pair.left, pair.right, merged, err);
    at = place.next;
  }
  return status == ATTN_OK ? bpe_pairs_queue (&t->pairs, err) : status;
}

/* learn -- adds merges until the vocabulary has SIZE tokens. */
static attn_status learn (training *t, size_t size, const attn_run *run, attn_error *err)
{
  uint32_t best;
  attn_status status = ATTN_OK;
  while (status == ATTN_OK && t->vocabulary.size < size && bpe_pairs_best (&t->pairs, &best) &&
         t->pairs.pairs[best].count >= PLACES_MIN) {
    status = merge_pair (t, best, err);
    if (status == ATTN_OK && run != NULL && run->interrupted != NULL &&
        run->interrupted (run->interrupted_data) != 0)
      status = attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
  }
  return status;
}

/* ---- the whole ---- */

attn_status attn_bpe_train (attn_bpe_files *files, const char *text, size_t bytes, size_t size,
                            int end_of_text, const attn_run *run, attn_error *err)
{
  static const char version[] = "#version: 0.2\n";
  training t = {0};
  *files = (attn_bpe_files){0};
  attn_status status = check_input (text, bytes, size, end_of_text, err);
  if (status == ATTN_OK)
    status = count_words (&t, text, bytes, end_of_text, run, err);
  if (status == ATTN_OK)
    status = split_words (&t, err);
  if (status == ATTN_OK)
    status = output_append (&t.merges, version, sizeof version - 1, err);
  if (status == ATTN_OK)
    status = learn (&t, size - (end_of_text != 0), run, err);
  if (status == ATTN_OK && end_of_text)
    status = vocabulary_add (&t.vocabulary, (int32_t)t.vocabulary.size, END_OF_TEXT,
                             END_OF_TEXT_BYTES, err);
  if (status == ATTN_OK)
    status = output_vocabulary (&t.vocab, &t.vocabulary, err);
  if (status == ATTN_OK) {
    *files = (attn_bpe_files){.merges = t.merges.text,
                              .merges_bytes = t.merges.bytes,
                              .vocab = t.vocab.text,
                              .vocab_bytes = t.vocab.bytes,
                              .size = t.vocabulary.size};
    t.merges.text = t.vocab.text = NULL;
  }
  free_training (&t);
  return status;
}

void attn_bpe_files_free (attn_bpe_files *files)
{
  attn_free (files->merges);
  attn_free (files->vocab);
  *files = (attn_bpe_files){0};
}
