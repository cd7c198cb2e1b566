/* Learning merges: cases worked by hand, a slow trainer that recounts everything, round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attn/tokenizer.h"
#include "attn/train_tokenizer.h"
#include "support/text_file.h"

static attn_bpe_files train (const char *text, size_t size, int end_of_text)
{
  attn_bpe_files files;
  attn_error err = {""};
  attn_status status = attn_bpe_train (&files, text, strlen (text), size, end_of_text, NULL, &err);
  if (status != ATTN_OK)
    fail_msg ("%s", err.text);
  return files;
}

static void expect_merges (const char *text, size_t size, int end_of_text, const char *merges,
                           size_t got_size)
{
  attn_bpe_files files = train (text, size, end_of_text);
  char expected[512];
  int bytes = snprintf (expected, sizeof expected, "#version: 0.2\n%s", merges);
  if (files.merges_bytes != (size_t)bytes ||
      memcmp (files.merges, expected, files.merges_bytes) != 0)
    fail_msg ("'%s' gives\n%.*sexpected\n%s", text, (int)files.merges_bytes, files.merges,
              expected);
  assert_int_equal (files.size, got_size);
  attn_bpe_files_free (&files);
  assert_null (files.merges);
}

#define SPACE "\xC4\xA0" /* the symbol of the space */

/* "aaabdaaabac": aa stands in 4 places (2 of them overlap others), then ab in 2 and aa a in 2, of
 * which "a b" has the lower left id; then "aa ab" in 2; then every pair stands in one place. */
static void test_by_hand (void **state)
{
  (void)state;
  expect_merges ("aaabdaaabac", 1000, 0, "a a\na b\naa ab\n", 259);
  expect_merges ("aaabdaaabac", 258, 0, "a a\na b\n", 258);
  expect_merges ("aaabdaaabac", 258, 1, "a a\n", 258);
  expect_merges ("aaabdaaabac", 256, 0, "", 256);
  expect_merges ("aaabdaaabac", 257, 1, "", 257);
  expect_merges ("a", 1000, 1, "", 257);
  /* Words dc, " ba" twice, " dc": dc, ba and " b" stand in 2 places.  The left tokens have the ids
   * d 67, b 65 and space 220; " d" stands in 1 place. */
  expect_merges ("dc ba ba dc", 1000, 0, "b a\nd c\n" SPACE " ba\n", 259);
  /* The left tokens are the same: the right ones decide. */
  expect_merges ("xb\nxa\nxb\nxa", 1000, 0, "x a\nx b\n", 258);
}

static void test_words (void **state)
{
  (void)state;
  /* Words do not join: "b c" never stand side by side. */
  expect_merges ("ab\ncd\nab\ncd", 1000, 0, "a b\nc d\n", 258);
  expect_merges ("a1a1a1", 1000, 0, "", 256);
  /* The special token separates texts and is not learned from; without it, it is text like any. */
  expect_merges ("ab<|endoftext|>ab", 1000, 1, "a b\n", 258);
  expect_merges ("<|endoftext|><|endoftext|>", 1000, 1, "", 257);
  attn_bpe_files files = train ("<|endoftext|><|endoftext|>", 1000, 0);
  assert_true (files.size > 260);
  attn_bpe_files_free (&files);
  /* Bytes that are no letters, and bytes that are no UTF-8. */
  expect_merges ("\xFF\xFE\xFF\xFE", 1000, 0, "\xC3\xBF \xC3\xBE\n", 257);
}

static void test_vocabulary_text (void **state)
{
  (void)state;
  attn_bpe_files files = train ("\"\\ \"\\ a\n", 1000, 1);
  char *vocab = malloc (files.vocab_bytes + 1);
  assert_non_null (vocab);
  memcpy (vocab, files.vocab, files.vocab_bytes);
  vocab[files.vocab_bytes] = '\0';
  assert_int_equal (files.size, 258);
  assert_ptr_equal (strstr (vocab, "{\"!\": 0, \"\\\"\": 1, \"#\": 2, "), vocab);
  assert_non_null (strstr (vocab, "\"\\\\\": 59, "));
  assert_non_null (strstr (vocab, "\"\\u00ff\": 187, \"\\u0100\": 188, "));
  assert_non_null (
      strstr (vocab, ", \"\\u0143\": 255, \"\\\"\\\\\": 256, \"<|endoftext|>\": 257}"));
  free (vocab);
  attn_bpe_files_free (&files);
}

/* FNV-1a of GPT-2's published vocab.json (1042301 bytes, SHA-256 19613966...), computed from a file
 * with that SHA-256. */
static void test_vocabulary_of_gpt2 (void **state)
{
  (void)state;
  size_t merges_bytes, bytes;
  char *merges = text_file_read ("scripts/models/gpt2/merges.txt", &merges_bytes), *text;
  attn_tokenizer *t;
  assert_int_equal (attn_tokenizer_open (&t, merges, merges_bytes, NULL, 0, NULL), ATTN_OK);
  assert_int_equal (attn_tokenizer_vocabulary (t, &text, &bytes, NULL), ATTN_OK);
  assert_int_equal (bytes, 1042301);
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  assert_true (hash == 0x38c24f1cfdf09fa4u);
  attn_tokenizer_close (&t);
  /* With this vocabulary the tokenizer opens and is the same size. */
  assert_int_equal (attn_tokenizer_open (&t, merges, merges_bytes, text, bytes, NULL), ATTN_OK);
  assert_int_equal (attn_tokenizer_size (t), 50257);
  assert_int_equal (attn_tokenizer_end_of_text (t), 50256);
  attn_tokenizer_close (&t);
  attn_text_free (&text);
  free (merges);
}

/* ---- a slow trainer ---- */

/* For texts over a few small letters and spaces, which split into runs of letters with the space
 * before.  Everything is counted anew after each merge: the words are split from single letters by
 * the rules so far, with strings instead of ids. */
enum { NAIVE_TOKEN = 40, NAIVE_PARTS = 40, NAIVE_WORDS = 200, NAIVE_RULES = 64 };

typedef struct {
  char part[NAIVE_PARTS][NAIVE_TOKEN];
  int parts;
} naive_word;

typedef struct {
  char left[NAIVE_TOKEN], right[NAIVE_TOKEN];
} naive_rule;

typedef struct {
  naive_word words[NAIVE_WORDS];
  int word_count;
  naive_rule rules[NAIVE_RULES];
  int rule_count;
  char tokens[NAIVE_RULES][NAIVE_TOKEN]; /* those made by rules, in the order of their ids */
  int token_count;
} naive;

static int naive_apply (naive_word *w, const naive_rule *r)
{
  int to = 0, applied = 0;
  for (int from = 0; from < w->parts; to++) {
    if (from + 1 < w->parts && strcmp (w->part[from], r->left) == 0 &&
        strcmp (w->part[from + 1], r->right) == 0) {
      char both[2 * NAIVE_TOKEN];
      snprintf (both, sizeof both, "%s%s", r->left, r->right);
      assert_true (strlen (both) < NAIVE_TOKEN);
      strcpy (w->part[to], both);
      from += 2;
      applied = 1;
    } else {
      if (to != from)
        strcpy (w->part[to], w->part[from]);
      from++;
    }
  }
  w->parts = to;
  return applied;
}

/* naive_split -- the encoder of GPT-2's paper: again and again the earliest
 * rule that has a pair. */
static void naive_split (naive *n, naive_word *w, const char *word)
{
  w->parts = 0;
  for (; *word != '\0'; word++) {
    w->part[w->parts][0] = *word;
    w->part[w->parts++][1] = '\0';
  }
  for (int rule = 0; rule < n->rule_count;)
    rule = naive_apply (w, &n->rules[rule]) ? 0 : rule + 1;
}

static int naive_id (const naive *n, const char *token)
{
  if (strlen (token) == 1)
    return token[0] == ' ' ? 220 : token[0] - '!';
  for (int i = 0; i < n->token_count; i++)
    if (strcmp (n->tokens[i], token) == 0)
      return 256 + i;
  return -1;
}

static int naive_count (const naive *n, const char *left, const char *right)
{
  int count = 0;
  for (int w = 0; w < n->word_count; w++)
    for (int i = 0; i + 1 < n->words[w].parts; i++)
      count +=
          strcmp (n->words[w].part[i], left) == 0 && strcmp (n->words[w].part[i + 1], right) == 0;
  return count;
}

/* naive_best -- the most frequent pair and its count. */
static int naive_best (const naive *n, naive_rule *best)
{
  int best_count = 0;
  for (int w = 0; w < n->word_count; w++)
    for (int i = 0; i + 1 < n->words[w].parts; i++) {
      const char *left = n->words[w].part[i], *right = n->words[w].part[i + 1];
      int count = naive_count (n, left, right);
      int lower = naive_id (n, left) - naive_id (n, best->left);
      if (lower == 0)
        lower = naive_id (n, right) - naive_id (n, best->right);
      if (count > best_count || (count == best_count && lower < 0)) {
        best_count = count;
        strcpy (best->left, left);
        strcpy (best->right, right);
      }
    }
  return best_count;
}

static void naive_read (naive *n, const char *text)
{
  n->word_count = 0;
  while (*text != '\0') {
    char word[NAIVE_PARTS];
    size_t length = 1 + strcspn (text + 1, " ");
    assert_true (length < NAIVE_PARTS && n->word_count < NAIVE_WORDS);
    memcpy (word, text, length);
    word[length] = '\0';
    naive_split (n, &n->words[n->word_count++], word);
    text += length;
  }
}

/* naive_train -- writes the text of merges.txt for SIZE ids. */
static void naive_train (naive *n, const char *text, int size, char *merges)
{
  naive_rule best = {"", ""};
  *n = (naive){0};
  merges += sprintf (merges, "#version: 0.2\n");
  naive_read (n, text);
  while (256 + n->token_count < size && n->rule_count < NAIVE_RULES && naive_best (n, &best) >= 2) {
    char both[2 * NAIVE_TOKEN];
    snprintf (both, sizeof both, "%s%s", best.left, best.right);
    n->rules[n->rule_count++] = best;
    assert_int_equal (naive_id (n, both), -1); /* no token is made in two ways */
    strcpy (n->tokens[n->token_count++], both);
    naive_read (n, text);
    const char *left_rest = best.left + (best.left[0] == ' ');
    merges +=
        sprintf (merges, "%s%s %s\n", best.left[0] == ' ' ? SPACE : "", left_rest, best.right);
  }
}

static uint64_t random_next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Texts over two or three letters, where ties and overlaps are frequent. */
static void test_against_slow_trainer (void **state)
{
  (void)state;
  naive *n = malloc (sizeof *n);
  uint64_t seed = 0x2545f4914f6cdd1du;
  assert_non_null (n);
  for (int round = 0; round < 300; round++) {
    char text[300], merges[NAIVE_RULES * 2 * NAIVE_TOKEN];
    size_t bytes = 0, wanted = 20 + random_next (&seed) % 200;
    unsigned letters = 2 + (unsigned)(random_next (&seed) % 3);
    while (bytes < wanted) {
      size_t length = 1 + random_next (&seed) % 14;
      for (size_t i = 0; i < length; i++)
        text[bytes++] = (char)('a' + random_next (&seed) % letters);
      text[bytes++] = ' ';
    }
    text[--bytes] = '\0';
    int size = 256 + (int)(random_next (&seed) % 40);
    naive_train (n, text, size, merges);
    attn_bpe_files files = train (text, (size_t)size, 0);
    if (files.merges_bytes != strlen (merges) ||
        memcmp (files.merges, merges, files.merges_bytes) != 0)
      fail_msg ("'%s' gives\n%.*sexpected\n%s", text, (int)files.merges_bytes, files.merges,
                merges);
    assert_int_equal (files.size, 256 + n->token_count);
    attn_bpe_files_free (&files);
  }
  free (n);
}

/* ---- whole texts ---- */

/* Trains on a file of many languages, opens what comes out with and without its vocabulary, and
 * encodes the file with it. */
static void test_round_trip (void **state)
{
  (void)state;
  size_t bytes;
  char *text = text_file_read ("tests/fixtures/gpt2_tokenizer_vectors.json", &bytes);
  attn_bpe_files files, again;
  assert_int_equal (attn_bpe_train (&files, text, bytes, 1000, 1, NULL, NULL), ATTN_OK);
  assert_int_equal (files.size, 1000);
  assert_int_equal (attn_bpe_train (&again, text, bytes, 1000, 1, NULL, NULL), ATTN_OK);
  assert_int_equal (again.merges_bytes, files.merges_bytes);
  assert_memory_equal (again.merges, files.merges, files.merges_bytes);
  attn_bpe_files_free (&again);

  int32_t *ids[2];
  size_t T[2];
  for (int i = 0; i < 2; i++) {
    attn_tokenizer *t;
    char *back;
    size_t back_bytes;
    assert_int_equal (attn_tokenizer_open (&t, files.merges, files.merges_bytes,
                                           i == 0 ? files.vocab : NULL, files.vocab_bytes, NULL),
                      ATTN_OK);
    assert_int_equal (attn_tokenizer_size (t), 1000);
    assert_int_equal (attn_tokenizer_end_of_text (t), 999);
    assert_int_equal (attn_tokenizer_encode (t, text, bytes, 1, &ids[i], &T[i], NULL), ATTN_OK);
    assert_true (T[i] < 2 * bytes / 3); /* half of it is short numbers, a line each */
    assert_int_equal (attn_tokenizer_decode (t, ids[i], T[i], &back, &back_bytes, NULL), ATTN_OK);
    assert_int_equal (back_bytes, bytes);
    assert_memory_equal (back, text, bytes);
    attn_text_free (&back);
    attn_tokenizer_close (&t);
  }
  assert_int_equal (T[0], T[1]);
  assert_memory_equal (ids[0], ids[1], T[0] * sizeof *ids[0]);
  attn_ids_free (&ids[0]);
  attn_ids_free (&ids[1]);
  attn_bpe_files_free (&files);
  free (text);
}

static int third_time (void *calls)
{
  return ++*(int *)calls >= 3;
}

static void test_errors (void **state)
{
  (void)state;
  attn_bpe_files files;
  attn_error err = {""};
  assert_int_equal (attn_bpe_train (&files, "", 0, 300, 1, NULL, &err), ATTN_E_EMPTY_TEXT);
  assert_int_equal (attn_bpe_train (&files, "abab", 4, 256, 1, NULL, &err), ATTN_E_RANGE);
  assert_string_equal (err.text, "size of the vocabulary: expected 257 to 1048576, got 256");
  assert_int_equal (attn_bpe_train (&files, "abab", 4, 255, 0, NULL, &err), ATTN_E_RANGE);
  assert_int_equal (attn_bpe_train (&files, "abab", 4, 1048577, 0, NULL, &err), ATTN_E_RANGE);
  assert_int_equal (attn_bpe_train (&files, "abab", ((size_t)1 << 30) + 1, 300, 0, NULL, &err),
                    ATTN_E_TOO_LONG);
  assert_null (files.merges);

  int calls = 0;
  attn_run run = {.interrupted = third_time, .interrupted_data = &calls};
  assert_int_equal (attn_bpe_train (&files, "abcdabcdabcdabcd", 16, 300, 0, &run, &err),
                    ATTN_E_INTERRUPTED);
  assert_int_equal (calls, 3);
  assert_null (files.merges);
  attn_bpe_files_free (&files);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_by_hand),
                                     cmocka_unit_test (test_words),
                                     cmocka_unit_test (test_vocabulary_text),
                                     cmocka_unit_test (test_vocabulary_of_gpt2),
                                     cmocka_unit_test (test_against_slow_trainer),
                                     cmocka_unit_test (test_round_trip),
                                     cmocka_unit_test (test_errors)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
