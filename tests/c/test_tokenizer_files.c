/* Models with a vocabulary of their own, and broken vocab.json and merges.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attn/tokenizer.h"
#include "support/text_file.h"

#define FOLDER "tests/fixtures/gpt2_models/plain_f32/"

static char *merges, *vocab;
static size_t merges_bytes, vocab_bytes;

static int read_files (void **state)
{
  (void)state;
  merges = text_file_read (FOLDER "merges.txt", &merges_bytes);
  vocab = text_file_read (FOLDER "vocab.json", &vocab_bytes);
  return 0;
}

static int free_files (void **state)
{
  (void)state;
  free (merges);
  free (vocab);
  return 0;
}

/* replaced -- TEXT with the first FROM turned into TO, in memory from malloc. */
static char *replaced (const char *text, const char *from, const char *to)
{
  const char *at = strstr (text, from);
  assert_non_null (at);
  char *result = malloc (strlen (text) + strlen (to) + 1);
  assert_non_null (result);
  sprintf (result, "%.*s%s%s", (int)(at - text), text, to, at + strlen (from));
  return result;
}

static void expect_encoding (const attn_tokenizer *t, const char *text, const int32_t *ids,
                             size_t T)
{
  int32_t *got;
  size_t got_T;
  assert_int_equal (attn_tokenizer_encode (t, text, strlen (text), 1, &got, &got_T, NULL), ATTN_OK);
  assert_int_equal (got_T, T);
  assert_memory_equal (got, ids, T * sizeof *ids);
  attn_ids_free (&got);
}

/* By hand, from the 60 merges: "Ġt h" is no rule, "h e" is rule 3, "Ġt he" rule 7; "c a" is no
 * rule, "a t" is rule 11; <|endoftext|> = 316 stands behind the merges. */
static void expect_small_model (const attn_tokenizer *t)
{
  static const int32_t the_cat[] = {262, 269, 265, 316, 198, 30}; /* Ġthe, Ġc, at, end, \n, ? */
  assert_int_equal (attn_tokenizer_size (t), 317);
  assert_int_equal (attn_tokenizer_end_of_text (t), 316);
  expect_encoding (t, " the cat<|endoftext|>\n?", the_cat, 6);
}

static void test_small_model (void **state)
{
  (void)state;
  attn_tokenizer *t;
  assert_int_equal (attn_tokenizer_open (&t, merges, merges_bytes, vocab, vocab_bytes, NULL),
                    ATTN_OK);
  expect_small_model (t);
  attn_tokenizer_close (&t);
  /* The same ids follow from the merges alone. */
  assert_int_equal (attn_tokenizer_open (&t, merges, merges_bytes, NULL, 0, NULL), ATTN_OK);
  expect_small_model (t);
  attn_tokenizer_close (&t);
  assert_null (t);
  attn_tokenizer_close (&t);
}

/* Ids need not follow the order of the merges, and need not be without gaps. */
static void test_own_ids (void **state)
{
  (void)state;
  char *own = replaced (vocab, "\"\\u0120the\": 262", "\"\\u0120the\": 1000000");
  char *without = replaced (own, ", \"<|endoftext|>\": 316", "");
  static const int32_t ids[] = {1000000, 269, 265};
  attn_tokenizer *t;
  assert_int_equal (attn_tokenizer_open (&t, merges, merges_bytes, without, strlen (without), NULL),
                    ATTN_OK);
  assert_int_equal (attn_tokenizer_size (t), 1000001);
  assert_int_equal (attn_tokenizer_end_of_text (t), -1);
  expect_encoding (t, " the cat", ids, 3);

  const char *token;
  char *text;
  size_t bytes;
  static const int32_t unused[] = {265, 999999};
  attn_error err = {""};
  assert_int_equal (attn_tokenizer_view (t, 999999, &token, &bytes, &err), ATTN_E_RANGE);
  assert_string_equal (err.text, "token id 999999 is not used by this vocabulary");
  assert_int_equal (attn_tokenizer_decode (t, unused, 2, &text, &bytes, NULL), ATTN_E_RANGE);
  assert_int_equal (attn_tokenizer_decode (t, ids, 3, &text, &bytes, NULL), ATTN_OK);
  assert_int_equal (bytes, 8);
  assert_memory_equal (text, " the cat", 8);
  attn_text_free (&text);

  /* Without a special token its text is plain text. */
  int32_t *special, *plain;
  size_t special_T, plain_T;
  assert_int_equal (attn_tokenizer_encode (t, "a<|endoftext|>", 14, 1, &special, &special_T, NULL),
                    ATTN_OK);
  assert_int_equal (attn_tokenizer_encode (t, "a<|endoftext|>", 14, 0, &plain, &plain_T, NULL),
                    ATTN_OK);
  assert_int_equal (special_T, plain_T);
  assert_memory_equal (special, plain, plain_T * sizeof *plain);
  attn_ids_free (&special);
  attn_ids_free (&plain);
  attn_tokenizer_close (&t);
  free (own);
  free (without);
}

/* Forms of merges.txt that mean the same: CR LF, no version line, no last line end, blank last
 * lines. */
static void test_merges_forms (void **state)
{
  (void)state;
  size_t lines = 0;
  char *crlf = malloc (2 * merges_bytes + 3), *out = crlf;
  assert_non_null (crlf);
  for (size_t i = 0; i < merges_bytes; i++) {
    lines += merges[i] == '\n';
    if (merges[i] == '\n')
      *out++ = '\r';
    *out++ = merges[i];
  }
  *out = '\0';
  assert_int_equal (lines, 61);
  const char *bare = strchr (merges, '\n') + 1;
  char *blank = malloc (merges_bytes + 4);
  assert_non_null (blank);
  sprintf (blank, "%s\n\r\n", merges);
  char *open_end = malloc (merges_bytes + 1);
  assert_non_null (open_end);
  memcpy (open_end, merges, merges_bytes - 1);
  open_end[merges_bytes - 1] = '\0';

  const char *const forms[] = {crlf, bare, blank, open_end};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (int with_vocab = 0; with_vocab <= 1; with_vocab++) {
      attn_tokenizer *t;
      assert_int_equal (attn_tokenizer_open (&t, forms[i], strlen (forms[i]),
                                             with_vocab ? vocab : NULL, vocab_bytes, NULL),
                        ATTN_OK);
      expect_small_model (t);
      attn_tokenizer_close (&t);
    }
  free (crlf);
  free (blank);
  free (open_end);

  attn_tokenizer *t; /* no merges at all: single bytes */
  assert_int_equal (attn_tokenizer_open (&t, "#version: 0.2\n", 14, NULL, 0, NULL), ATTN_OK);
  assert_int_equal (attn_tokenizer_size (t), 257);
  expect_encoding (t, "ab", (const int32_t[]){64, 65}, 2);
  attn_tokenizer_close (&t);
}

/* Two rules can make one token; without a vocabulary it has one id. */
static void test_two_rules_one_token (void **state)
{
  (void)state;
  static const char text[] = "a b\nb c\nab c\na bc\nd e\n";
  attn_tokenizer *t;
  assert_int_equal (attn_tokenizer_open (&t, text, strlen (text), NULL, 0, NULL), ATTN_OK);
  assert_int_equal (attn_tokenizer_size (t), 256 + 4 + 1); /* ab bc abc de, and the special one */
  expect_encoding (t, "abc", (const int32_t[]){258}, 1);
  expect_encoding (t, "de", (const int32_t[]){259}, 1);
  assert_int_equal (attn_tokenizer_end_of_text (t), 260);
  attn_tokenizer_close (&t);
}

/* A rule is applied to all its pairs before a rule of lower rank that this brings: with (a, bc)
 * before (abc, a) in the text but behind it in the list, a bc a bc gives abc abc, not abca bc. */
static void test_rule_applies_everywhere (void **state)
{
  (void)state;
  static const char text[] = "b c\na b\nab c\nabc a\na bc\n";
  attn_tokenizer *t;
  assert_int_equal (attn_tokenizer_open (&t, text, strlen (text), NULL, 0, NULL), ATTN_OK);
  expect_encoding (t, "abcabc", (const int32_t[]){258, 258}, 2); /* bc 256, ab 257, abc 258 */
  attn_tokenizer_close (&t);
}

/* ---- broken files ---- */

static void expect_refused (const char *m, size_t m_bytes, const char *v, size_t v_bytes,
                            const char *part)
{
  attn_tokenizer *t = NULL;
  attn_error err = {""};
  attn_status status = attn_tokenizer_open (&t, m, m_bytes, v, v_bytes, &err);
  if (status != ATTN_E_MODEL_CORRUPT || t != NULL || strstr (err.text, part) == NULL)
    fail_msg ("status %d, '%s', expected '%s'", (int)status, err.text, part);
}

static void test_broken_vocabulary (void **state)
{
  (void)state;
  static const struct {
    const char *from, *to, *part;
  } cases[] = {
      {"\"!\": 0, ", "", "vocab.json: no token '!', which stands for the single byte 33"},
      {"\"\\u0100\": ", "\"zz\": ", "single byte 0"},
      {"\"\\u0120\": ", "\"zz\": ", "no token '\xC4\xA0', which stands for the single byte 32"},
      {"\"A\": 32", "\"A\": 31", "'A': id 31 belongs to an earlier token"},
      {"\"A\": 32", "\"@\": 32", "'@': the token appears twice"},
      {"\"A\": 32", "\"A\": -1", "'A': expected a whole number from 0 to 2^53 - 1, got -1"},
      {"\"A\": 32", "\"A\": 1.5", "'A': expected a whole number"},
      {"\"A\": 32", "\"A\": 1e300", "'A': expected a whole number"},
      {"\"A\": 32", "\"A\": 1048576", "'A': id 1048576; the highest is 1048575"},
      {"\"A\": 32", "\"A\": 4294967328", "'A': id 4294967328"}, /* 2^32 + 32 */
      {"\"A\": 32", "\"A\": 9007199254740993", "'A': expected a whole number"},
      {"\"A\": 32", "\"A\": \"32\"", "got a string"},
      {"\"A\": 32", "\"A\": null", "got null"},
      {"\"A\": 32", "\"A\": [32]", "got an array"},
      {"\"A\": 32", "\"A\": 32, \"\": 400", "'': an empty token"},
      {"\"A\": 32", "\"A\": 32, \"x y\": 400", "'x y': a character that is not in"},
      {"\"A\": 32", "\"A\": 32, \"\\u4f60\": 400", "'\xE4\xBD\xA0': a character that is not in"},
      {"\"A\": 32", "\"A\": 32, \"\\u0144\": 400", "a character that is not in"}, /* 256 + 68 */
      {"\"A\": 32", "\"A\": 32, \"\\u00ad\": 400", "a character that is not in"},
      {"\"A\": 32", "\"A\": 32, \"\xC3\": 400", "a character that is not in"},
      {"\"A\": 32", "\"A\": 32, \"\xC1\x81\": 400", "a character that is not in"}, /* overlong A */
      {"\"A\": 32", "\"A\": 32, \"a\\u0000\": 400", "\\u0000"},
      {"\"A\": 32", "\"A\" 32", "vocab.json: not JSON at byte"},
      {"\"\\u0120the\": 262", "\"\\u0120tha\": 262", "merges.txt: line 8: the merged token is not"},
      {"\"\\u0120t\": 256", "\"\\u0120q\": 256", "merges.txt: line 2: the merged token is not"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *broken = replaced (vocab, cases[i].from, cases[i].to);
    expect_refused (merges, merges_bytes, broken, strlen (broken), cases[i].part);
    free (broken);
  }
  expect_refused (merges, merges_bytes, "", 0, "vocab.json: not JSON: it is empty");
  expect_refused (merges, merges_bytes, "[]", 2, "vocab.json: expected an object");
  expect_refused (merges, merges_bytes, "{}", 2, "vocab.json: no token");
  expect_refused (merges, merges_bytes, "<!DOCTYPE html>", 15, "vocab.json: not JSON at byte 0");
  expect_refused (merges, merges_bytes, vocab, vocab_bytes - 1, "vocab.json: not JSON");

  enum { DEEP = 100000 };
  char *deep = malloc (DEEP);
  assert_non_null (deep);
  memset (deep, '[', DEEP);
  expect_refused (merges, merges_bytes, deep, DEEP, "vocab.json: nested deeper");
  free (deep);
}

static void test_broken_merges (void **state)
{
  (void)state;
  static const struct {
    const char *from, *to, *part;
  } cases[] = {
      {"h e\n", "he\n", "merges.txt: line 4: expected two tokens with one space between: 'he'"},
      {"h e\n", "h  e\n", "line 4: expected two tokens"},
      {"h e\n", "h e \n", "line 4: expected two tokens"},
      {"h e\n", " h e\n", "line 4: expected two tokens"},
      {"h e\n", "h e r\n", "line 4: expected two tokens"},
      {"h e\n", "h\te\n", "line 4: expected two tokens"},
      {"h e\n", "\n", "line 4: expected two tokens"},
      {"h e\n", " \n", "line 4: expected two tokens"},
      {"h e\n", "\xE4\xBD\xA0 e\n", "line 4: a character that is not in"},
      {"h e\n", "h e\r\r\n", "line 4: a character that is not in"},
      {"h e\n", "h \xC4\n", "line 4: a character that is not in"},
      {"h e\n", "qq e\n", "line 4: the first token is not in the vocabulary"},
      {"h e\n", "h qq\n", "line 4: the second token is not in the vocabulary"},
      {"\xC4\xA0 a\n", "\xC4\xA0 t\n", "line 3: the same two tokens as in an earlier line"},
      {"#version: 0.2\n", "#version: 0.2\n#version: 0.2\n", "line 2: the first token"},
      {"#version: 0.2\n", "\xEF\xBB\xBF#version: 0.2\n", "line 1:"},
      {"#version: 0.2\n", "\n", "line 1: expected two tokens"},
      {"#version: 0.2\n", "<!DOCTYPE html>\n", "line 1: the first token"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int with_vocab = 0; with_vocab <= 1; with_vocab++) {
      char *broken = replaced (merges, cases[i].from, cases[i].to);
      expect_refused (broken, strlen (broken), with_vocab ? vocab : NULL, vocab_bytes,
                      cases[i].part);
      free (broken);
    }
  expect_refused ("", 0, vocab, vocab_bytes, "merges.txt: it is empty");
  expect_refused ("", 0, NULL, 0, "merges.txt: it is empty");
  expect_refused ("\r\n\n", 3, NULL, 0, "merges.txt: it is empty");
  expect_refused ("h e\0", 4, NULL, 0, "line 1: a character that is not in");
  expect_refused ("a b\nabc d\n", 10, NULL, 0, "line 2: the first token");
}

/* More tokens than a vocabulary may have: 2^20 rules, each of which makes a token. */
static void test_too_many_tokens (void **state)
{
  (void)state;
  enum { LINES = 1 << 20, LINE = 8 };
  char *text = malloc ((size_t)LINES * LINE * 4), *out = text;
  assert_non_null (text);
  /* All pairs of 90 printable bytes, then as many of those pairs with a third byte as fit. */
  size_t lines = 0;
  for (int a = 0; a < 90; a++)
    for (int b = 0; b < 90; b++, lines++)
      out += sprintf (out, "%c %c\n", '!' + a, '!' + b);
  for (int a = 0; a < 90; a++)
    for (int b = 0; b < 90; b++)
      for (int c = 0; c < 90; c++, lines++)
        out += sprintf (out, "%c%c %c\n", '!' + a, '!' + b, '!' + c);
  for (int a = 0; a < 90 && lines < LINES; a++)
    for (int b = 0; b < 90 && lines < LINES; b++)
      for (int c = 0; c < 90 && lines < LINES; c++, lines++)
        out += sprintf (out, "aa%c %c%c\n", '!' + a, '!' + b, '!' + c);
  expect_refused (text, (size_t)(out - text), NULL, 0, "more tokens than a vocabulary may have");
  free (text);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_small_model),
                                     cmocka_unit_test (test_own_ids),
                                     cmocka_unit_test (test_merges_forms),
                                     cmocka_unit_test (test_two_rules_one_token),
                                     cmocka_unit_test (test_rule_applies_everywhere),
                                     cmocka_unit_test (test_broken_vocabulary),
                                     cmocka_unit_test (test_broken_merges),
                                     cmocka_unit_test (test_too_many_tokens)};
  return cmocka_run_group_tests (tests, read_files, free_files);
}
