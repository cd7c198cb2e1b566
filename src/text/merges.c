#include "text/merges.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "text/byte_alphabet.h"

enum { SHOWN_MAX = 120 }; /* bytes of a line that a message shows */

void merges_free (merges *m)
{
  attn_free (m->slots);
  *m = (merges){0};
}

/* slot_of -- the slot of PAIR, or the free one where it would go. */
static merge_rule *slot_of (const merges *m, uint64_t pair)
{
  size_t mask = m->slot_count - 1;
  /* Fibonacci hashing (Knuth, volume 3, section 6.4): multiply by 2^64 over the golden ratio. */
  uint64_t hash = pair * 0x9e3779b97f4a7c15u;
  size_t slot = (size_t)(hash ^ hash >> 32) & mask;
  while (m->slots[slot].rank != MERGE_NONE && m->slots[slot].pair != pair)
    slot = (slot + 1) & mask;
  return &m->slots[slot];
}

static uint64_t pair_of (int32_t left, int32_t right)
{
  return (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
}

const merge_rule *merges_find (const merges *m, int32_t left, int32_t right)
{
  const merge_rule *rule = slot_of (m, pair_of (left, right));
  return rule->rank != MERGE_NONE ? rule : NULL;
}

/* ---- reading ---- */

/* One line of the file, and room for the bytes of its two tokens. */
typedef struct {
  const char *text;
  size_t length;
  size_t number; /* from 1, as editors count */
  char *token;
} merge_line;

static attn_status fail_line (const merge_line *line, const char *what, attn_error *err)
{
  int shown = (int)size_min (line->length, SHOWN_MAX);
  return attn_fail (err, ATTN_E_MODEL_CORRUPT, "merges.txt: line %zu: %s: '%.*s'", line->number,
                    what, shown, line->text);
}

static attn_status create_slots (merges *m, size_t rules, attn_error *err)
{
  size_t count = 2; /* a third stays free: searches end soon */
  while (count < rules + rules / 2)
    count *= 2;
  m->slots = attn_alloc (count, sizeof *m->slots);
  if (m->slots == NULL)
    return attn_no_memory (err, "the merges", count, sizeof *m->slots);
  for (size_t i = 0; i < count; i++)
    m->slots[i] = (merge_rule){.rank = MERGE_NONE};
  m->slot_count = count;
  return ATTN_OK;
}

/* find_merged -- id of the token made of both parts of LINE, added when the vocabulary may grow.
 * In GPT-2's order the rules' tokens follow the 256 bytes, so that is where it looks first. */
static attn_status find_merged (vocabulary *v, int complete, const merge_line *line, size_t length,
                                uint32_t rank, int32_t *id, attn_error *err)
{
  *id = rank < VOCABULARY_MAX ? 256 + (int32_t)rank : -1;
  if (!vocabulary_is (v, *id, line->token, length))
    *id = vocabulary_find (v, line->token, length);
  if (*id >= 0)
    return ATTN_OK;
  if (complete)
    return fail_line (line, "the merged token is not in the vocabulary", err);
  if (v->size >= VOCABULARY_MAX)
    return fail_line (line, "more tokens than a vocabulary may have", err);
  *id = (int32_t)v->size;
  return vocabulary_add (v, *id, line->token, length, err);
}

/* add_rule -- reads one line as the rule of the given rank. */
static attn_status add_rule (merges *m, vocabulary *v, int complete, const merge_line *line,
                             uint32_t rank, attn_error *err)
{
  const char *space = memchr (line->text, ' ', line->length);
  size_t left_symbols = space != NULL ? (size_t)(space - line->text) : 0;
  size_t right_symbols = space != NULL ? line->length - left_symbols - 1 : 0;
  if (left_symbols == 0 || right_symbols == 0 || memchr (space + 1, ' ', right_symbols) != NULL)
    return fail_line (line, "expected two tokens with one space between", err);

  size_t left_bytes = 0, right_bytes = 0;
  if (!byte_alphabet_decode (line->text, left_symbols, line->token, &left_bytes) ||
      !byte_alphabet_decode (space + 1, right_symbols, line->token + left_bytes, &right_bytes))
    return fail_line (line, "a character that is not in GPT-2's byte alphabet", err);

  int32_t left = vocabulary_find (v, line->token, left_bytes);
  int32_t right = vocabulary_find (v, line->token + left_bytes, right_bytes);
  if (left < 0)
    return fail_line (line, "the first token is not in the vocabulary", err);
  if (right < 0)
    return fail_line (line, "the second token is not in the vocabulary", err);

  merge_rule *slot = slot_of (m, pair_of (left, right));
  if (slot->rank != MERGE_NONE)
    return fail_line (line, "the same two tokens as in an earlier line", err);
  int32_t merged;
  attn_status status =
      find_merged (v, complete, line, left_bytes + right_bytes, rank, &merged, err);
  if (status == ATTN_OK)
    *slot = (merge_rule){.pair = pair_of (left, right), .rank = rank, .merged = merged};
  return status;
}

/* next_line -- moves LINE to the line at *AT and *AT behind it. */
static void next_line (merge_line *line, const char *text, size_t bytes, size_t *at)
{
  const char *newline = memchr (text + *at, '\n', bytes - *at);
  line->text = text + *at;
  line->length = newline != NULL ? (size_t)(newline - line->text) : bytes - *at;
  *at += line->length + (newline != NULL);
  if (line->length > 0 && line->text[line->length - 1] == '\r')
    line->length--;
  line->number++;
}

/* trim -- bytes without the line ends at the end. */
static size_t trim (const char *text, size_t bytes)
{
  while (bytes > 0 && (text[bytes - 1] == '\n' || text[bytes - 1] == '\r'))
    bytes--;
  return bytes;
}

static size_t count_lines (const char *text, size_t bytes)
{
  size_t lines = bytes > 0;
  for (size_t i = 0; i < bytes; i++)
    lines += text[i] == '\n';
  return lines;
}

attn_status merges_read (merges *m, vocabulary *v, int complete, const char *text, size_t bytes,
                         attn_error *err)
{
  static const char version[] = "#version";
  merge_line line = {0};
  attn_status status = ATTN_OK;
  uint32_t rank = 0;

  bytes = trim (text, bytes);
  if (bytes == 0)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "merges.txt: it is empty");
  size_t lines = count_lines (text, bytes);
  if (lines > 2 * (size_t)VOCABULARY_MAX)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "merges.txt: %zu lines; the most is %d", lines,
                      2 * VOCABULARY_MAX);
  line.token = attn_alloc (bytes, 1); /* a token is never longer than its symbols */
  if (line.token == NULL)
    return attn_no_memory (err, "a line of merges.txt", bytes, 1);
  status = create_slots (m, lines, err);
  for (size_t at = 0; at < bytes && status == ATTN_OK;) {
    next_line (&line, text, bytes, &at);
    bool is_version = line.number == 1 && line.length >= sizeof version - 1 &&
                      memcmp (line.text, version, sizeof version - 1) == 0;
    if (!is_version)
      status = add_rule (m, v, complete, &line, rank++, err);
  }
  attn_free (line.token);
  if (status != ATTN_OK)
    merges_free (m);
  return status;
}
