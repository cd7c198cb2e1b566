/* GPT-2's tokenizer with its own merges: ids of known texts, special tokens, round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "attn/tokenizer.h"
#include "base/json.h"
#include "support/text_file.h"

static attn_tokenizer *gpt2;

static int open_gpt2 (void **state)
{
  (void)state;
  size_t bytes;
  char *merges = text_file_read ("scripts/models/gpt2/merges.txt", &bytes);
  attn_error err = {""};
  attn_status status = attn_tokenizer_open (&gpt2, merges, bytes, NULL, 0, &err);
  if (status != ATTN_OK)
    fprintf (stderr, "%s\n", err.text);
  free (merges);
  return status != ATTN_OK;
}

static int close_gpt2 (void **state)
{
  (void)state;
  attn_tokenizer_close (&gpt2);
  return gpt2 != NULL;
}

static void show_ids (const char *label, const int32_t *ids, size_t T)
{
  print_error ("%s", label);
  for (size_t i = 0; i < T; i++)
    print_error (" %d", (int)ids[i]);
  print_error ("\n");
}

/* expect_ids -- TEXT encodes to IDS and decodes to itself. */
static void expect_ids (const char *text, size_t bytes, int special, const int32_t *ids, size_t T)
{
  int32_t *got;
  size_t got_T, back_bytes;
  char *back;
  assert_int_equal (attn_tokenizer_encode (gpt2, text, bytes, special, &got, &got_T, NULL),
                    ATTN_OK);
  if (got_T != T || memcmp (got, ids, T * sizeof *ids) != 0) {
    show_ids ("expected", ids, T);
    show_ids ("got", got, got_T);
    fail_msg ("'%s'", text);
  }
  assert_int_equal (attn_tokenizer_decode (gpt2, got, got_T, &back, &back_bytes, NULL), ATTN_OK);
  assert_int_equal (back_bytes, bytes);
  assert_memory_equal (back, text, bytes);
  attn_text_free (&back);
  attn_ids_free (&got);
}

/* expect_words -- TEXT encodes as its pieces do one by one: the pieces are the words (or special
 * tokens) that it is to be split into.  Pieces end with a NULL. */
static void expect_words (int special, const char *const *pieces)
{
  char text[512] = "";
  int32_t ids[512];
  size_t T = 0;
  for (; *pieces != NULL; pieces++) {
    int32_t *part;
    size_t part_T;
    assert_true (strlen (text) + strlen (*pieces) < sizeof text);
    strcat (text, *pieces);
    assert_int_equal (
        attn_tokenizer_encode (gpt2, *pieces, strlen (*pieces), special, &part, &part_T, NULL),
        ATTN_OK);
    memcpy (ids + T, part, part_T * sizeof *ids);
    T += part_T;
    attn_ids_free (&part);
  }
  expect_ids (text, strlen (text), special, ids, T);
}

/* ---- the vectors of two independent encoders ---- */

/* JSON with NUL characters in strings is refused, and one vector has such: it is read with the
 * private-use character U+E000 (no vector has it) for the NUL.  Both escapes have six bytes. */
static void hide_nul (char *json)
{
  for (char *at = json; (at = strstr (at, "\\u0000")) != NULL;)
    memcpy (at, "\\ue000", 6);
}

static size_t show_nul (char *text)
{
  char *out = text;
  for (const char *in = text; *in != '\0';) {
    if (strncmp (in, "\xEE\x80\x80", 3) == 0) {
      *out++ = '\0';
      in += 3;
    } else {
      *out++ = *in++;
    }
  }
  return (size_t)(out - text);
}

static void test_vectors (void **state)
{
  (void)state;
  size_t bytes, count = 0;
  char *json = text_file_read ("tests/fixtures/gpt2_tokenizer_vectors.json", &bytes);
  hide_nul (json);
  json_document *doc;
  assert_int_equal (json_parse (&doc, "vectors", json, bytes, NULL), ATTN_OK);
  json_value vector = json_first (json_root (doc));
  for (; json_kind_of (vector) != JSON_ABSENT; vector = json_next (vector), count++) {
    const char *string;
    int32_t ids[4096];
    size_t T = 0, id;
    assert_int_equal (json_read_string (json_find (vector, "text"), &string, NULL), ATTN_OK);
    json_value v = json_first (json_find (vector, "ids"));
    for (; json_kind_of (v) != JSON_ABSENT; v = json_next (v)) {
      assert_int_equal (json_read_size (v, &id, NULL), ATTN_OK);
      assert_true (T < sizeof ids / sizeof *ids);
      ids[T++] = (int32_t)id;
    }
    char *text = malloc (strlen (string) + 1);
    assert_non_null (text);
    strcpy (text, string);
    expect_ids (text, show_nul (text), 0, ids, T);
    free (text);
  }
  assert_int_equal (count, 406);
  json_free (&doc);
  free (json);
}

/* ---- texts that other tokenizers got wrong ---- */

/* The ids of a case, and how many they are. */
enum { CASE_IDS = 16 };
#define IDS(...) {__VA_ARGS__}, sizeof ((int32_t[]){__VA_ARGS__}) / sizeof (int32_t)

static void test_known_texts (void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int32_t ids[CASE_IDS];
    size_t T;
  } cases[] = {
      {"hello \xF0\x9F\x91\x8B world \xF0\x9F\x8C\x8D",
       IDS (31373, 50169, 233, 995, 12520, 234, 235)},
      {"\xE2\x80\x9Cwrote jack a letter\xE2\x80\x9D",
       IDS (447, 250, 42910, 14509, 257, 3850, 447, 251)},
      {"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96\xE7\x95\x8C",
       IDS (19526, 254, 25001, 121, 10310, 244, 45911, 234)},
      {"This is good.\n\n", IDS (1212, 318, 922, 13, 628)},
      {"This is good.\n\nBut in a way.",
       IDS (1212, 318, 922, 13, 198, 198, 1537, 287, 257, 835, 13)},
      {"a  b", IDS (64, 220, 275)},
      {"def f():\n    return  x", IDS (4299, 277, 33529, 198, 220, 220, 220, 1441, 220, 2124)},
      {"Banana is a word.", IDS (30457, 2271, 318, 257, 1573, 13)},
      {" Banana is a word.", IDS (40058, 318, 257, 1573, 13)},
      {"ied 4 \xC2\xBD months", IDS (798, 604, 25208, 1933)},
      {"x\xC2\xB2", IDS (87, 31185)},
      {"\xE2\x85\xA7", IDS (158, 227, 100)},
      {"na\xC3\xAFve caf\xC3\xA9", IDS (2616, 38776, 40304)},
      {"I'll", IDS (40, 1183)},
      {"I'LL", IDS (40, 6, 3069)},
      {"it\xE2\x80\x99s", IDS (270, 447, 247, 82)},
      {"CAN'T wait 'til 2026.", IDS (44565, 6, 51, 4043, 705, 47163, 1160, 2075, 13)},
      {"some_code toString some_more_code",
       IDS (11246, 62, 8189, 284, 10100, 617, 62, 3549, 62, 8189)},
      {"y is ?", IDS (88, 318, 5633)},
      {"hello, this is Tom .", IDS (31373, 11, 428, 318, 4186, 764)},
      {"The animal didn't cross the street because it was too tired",
       IDS (464, 5044, 1422, 470, 3272, 262, 4675, 780, 340, 373, 1165, 10032)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int special = 0; special <= 1; special++)
      expect_ids (cases[i].text, strlen (cases[i].text), special, cases[i].ids, cases[i].T);
}

static void test_special (void **state)
{
  (void)state;
  enum { END = 50256 };
#define E "<|endoftext|>"
  static const struct {
    const char *text;
    int special;
    int32_t ids[CASE_IDS];
    size_t T;
  } cases[] = {
      {E, 1, IDS (END)},
      {E, 0, IDS (27, 91, 437, 1659, 5239, 91, 29)},
      {E E, 1, IDS (END, END)},
      {E E E "a", 1, IDS (END, END, END, 64)},
      {"a" E "a", 1, IDS (64, END, 64)},
      {"I'" E "ll", 1, IDS (40, 6, END, 297)},   /* no contraction across it */
      {"a " E " a", 1, IDS (64, 220, END, 257)}, /* the space before it stays alone */
      {"<|endoftext|", 1, IDS (27, 91, 437, 1659, 5239, 91)},
      {"<" E, 1, IDS (27, END)},
      {"<|endoftext" E, 1, IDS (27, 91, 437, 1659, 5239, END)},
      {"<|ENDOFTEXT|>", 1, IDS (27, 91, 10619, 46, 9792, 13918, 91, 29)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_ids (cases[i].text, strlen (cases[i].text), cases[i].special, cases[i].ids, cases[i].T);
  /* White space in front of it is the end of a text of its own: all of it is one word. */
  expect_words (1, (const char *const[]){"x", " \n \n", E, "\n", "y", NULL});
  expect_words (1, (const char *const[]){E, "mid", E, "word", E, NULL});
#undef E
  assert_int_equal (attn_tokenizer_end_of_text (gpt2), END);
  assert_int_equal (attn_tokenizer_size (gpt2), END + 1);
}

/* Each white-space character of Unicode 15.1, and some that only look like it. */
static void test_white_space (void **state)
{
  (void)state;
  static const char *const spaces[] = {"\t",           "\n",           "\v",
                                       "\f",           "\r",           " ",
                                       "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80",
                                       "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
                                       "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85",
                                       "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
                                       "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
                                       "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
                                       "\xE3\x80\x80"};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    const char *s = spaces[i];
    char two[16];
    snprintf (two, sizeof two, "%s%s", s, s);
    expect_words (0, (const char *const[]){"a", two, NULL});
    expect_words (0, (const char *const[]){"a", s, " b", NULL});
    if (strcmp (s, " ") != 0)
      expect_words (0, (const char *const[]){"!", s, s, "b", NULL});
  }
  /* U+FEFF, U+200B, U+180E, U+001C, NUL's neighbour U+0001 and U+2060 join punctuation. */
  static const char *const others[] = {"\xEF\xBB\xBF", "\xE2\x80\x8B", "\xE1\xA0\x8E",
                                       "\x1C",         "\x01",         "\xE2\x81\xA0"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    char run[16];
    snprintf (run, sizeof run, " !%s!", others[i]);
    expect_words (0, (const char *const[]){"a", run, "b", NULL});
  }
}

static void test_words (void **state)
{
  (void)state;
  static const char *const cases[][12] = {
      {"we", "'re", " they", "'ve", " I", "'m", " he", "'d", " it", "'s", NULL},
      {"don", "'t", "'s", "'ll", NULL},
      {"WE", "'", "RE", " I", "'", "M", NULL}, /* capital letters: no contraction */
      {"'s", "econd", NULL},                   /* the contraction comes first */
      {"a", " '", "s", NULL},                  /* the space and the quote go together */
      {"a", "!'", "s", NULL},
      {"rock", " '", "n", "'", " roll", NULL},
      {"'", "r", NULL},
      {"a", "12", "b", "34", "!", NULL},
      {"3", ".", "14", NULL},
      {"e", "\xCC\x81", "t", NULL}, /* a combining mark is neither letter nor number */
      {"\xE0\xA4\x95", "\xE0\xA5\x8D", "\xE0\xA4\xB7", NULL}, /* Devanagari ka, virama, ssa */
      {"\xD9\xA3\xC2\xBD\xE2\x85\xA7"
       "4",
       "\xE4\xBD\xA0", NULL},             /* numbers of all three kinds */
      {"\xC7\x85\xCA\xB0\xD7\x90", NULL}, /* letters Lt, Lm, Lo */
      {"a", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7", "b", NULL}, /* joined emoji */
      {"a", " \xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", " b", NULL},           /* a flag */
      {"\xEE\x80\x80\xF4\x8F\xBF\xBD", "a", NULL},                      /* private use */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_words (0, cases[i]);
}

/* ---- bytes ---- */

static void expect_round_trip (const char *text, size_t bytes, int special)
{
  int32_t *ids;
  size_t T, back_bytes;
  char *back;
  assert_int_equal (attn_tokenizer_encode (gpt2, text, bytes, special, &ids, &T, NULL), ATTN_OK);
  assert_int_equal (attn_tokenizer_decode (gpt2, ids, T, &back, &back_bytes, NULL), ATTN_OK);
  assert_int_equal (back_bytes, bytes);
  assert_memory_equal (back, text, bytes);
  attn_text_free (&back);
  attn_ids_free (&ids);
}

/* An invalid byte is one character of no class: it joins a run of
 * punctuation, and a space before. */
static void test_invalid_utf8 (void **state)
{
  (void)state;
  static const char *const bad[] = {"\x80",
                                    "\xBF\xBF", /* lone continuation bytes */
                                    "\xC3",
                                    "\xE4\xBD",
                                    "\xF0\x9F\x91", /* cut off */
                                    "\xC0\x80",
                                    "\xC1\xBF",
                                    "\xE0\x80\x80",
                                    "\xF0\x80\x80\x80", /* overlong */
                                    "\xED\xA0\x80",
                                    "\xED\xBF\xBF", /* surrogates */
                                    "\xF4\x90\x80\x80",
                                    "\xF5\x80\x80\x80",
                                    "\xFE",
                                    "\xFF"}; /* beyond Unicode */
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char run[16];
    snprintf (run, sizeof run, " %s!", bad[i]);
    expect_words (0, (const char *const[]){"a", run, "b", NULL});
    expect_words (0, (const char *const[]){"12", bad[i], "b", NULL});
    snprintf (run, sizeof run, "%s%s", bad[i], bad[i]);
    expect_words (0, (const char *const[]){run, "\n", NULL});
  }
  expect_ids ("\xFF", 1, 0, (const int32_t[]){187}, 1);
  expect_ids ("\0", 1, 0, (const int32_t[]){188}, 1);
  expect_ids ("a\0b", 3, 0, (const int32_t[]){64, 188, 65}, 3);
}

static void test_round_trip_pairs (void **state)
{
  (void)state;
  for (int i = 0; i < 65536; i++) {
    char text[2] = {(char)(i >> 8), (char)i};
    expect_round_trip (text, 2, 0);
  }
}

/* random_next -- the generator of Marsaglia (2003), "Xorshift RNGs". */
static uint64_t random_next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void test_round_trip_random (void **state)
{
  (void)state;
  static const char *const parts[] = {"<|endoftext|>", " ",    "\n\n", "'ll",      "the", " cat",
                                      "\xE4\xBD",      "\xA0", "123",  "\xCC\x81", "<|",  "\0"};
  uint64_t seed = 0x9e3779b97f4a7c15u;
  for (int round = 0; round < 2000; round++) {
    char text[512];
    size_t bytes = 0, wanted = random_next (&seed) % 400;
    while (bytes < wanted) {
      const char *part = parts[random_next (&seed) % (sizeof parts / sizeof *parts)];
      size_t length = strlen (part);
      if (random_next (&seed) % 3 == 0 || length == 0) {
        text[bytes++] = (char)random_next (&seed);
      } else {
        memcpy (text + bytes, part, length);
        bytes += length;
      }
    }
    expect_round_trip (text, bytes, round % 2);
  }
  expect_round_trip ("", 0, 0);
  expect_round_trip ("", 0, 1);
}

/* One word of 100000 bytes.  The quadratic algorithm makes 2.5e9 comparisons and takes seconds; a
 * tenth of a second of processor time is usual, and the bound leaves room for sanitizers. */
static void test_long_word (void **state)
{
  (void)state;
  enum { BYTES = 100000 };
  char *text = malloc (BYTES);
  int32_t *ids;
  size_t T;
  assert_non_null (text);
  memset (text, 'a', BYTES);
  clock_t start = clock ();
  assert_int_equal (attn_tokenizer_encode (gpt2, text, BYTES, 1, &ids, &T, NULL), ATTN_OK);
  double seconds = (double)(clock () - start) / CLOCKS_PER_SEC;
  assert_int_equal (T, 25000);
  for (size_t i = 0; i < T; i++)
    assert_int_equal (ids[i], 24794);
  attn_ids_free (&ids);
  print_message ("%d bytes in %.3f s\n", BYTES, seconds);
  assert_true (seconds < 10);

  memset (text, ' ', BYTES);
  expect_round_trip (text, BYTES, 1);
  for (size_t i = 0; i < BYTES; i++)
    text[i] = "<|endoftext|"[i % 12];
  expect_round_trip (text, BYTES, 1);
  free (text);
}

/* The encoder keeps nothing between calls, and a word gives the same ids wherever it stands. */
static void test_repeated_words (void **state)
{
  (void)state;
  static const char *const words[] = {" straightforwardness",
                                      " antidisestablishmentarianism",
                                      " a",
                                      " xqzjk",
                                      "\xE2\x80\x9D",
                                      " 123456789",
                                      "\n"};
  enum { WORDS = sizeof words / sizeof *words };
  char *text = malloc (100000);
  int32_t *ids = malloc (100000 * sizeof *ids);
  size_t bytes = 0, T = 0;
  uint64_t seed = 12345;
  assert_non_null (text);
  assert_non_null (ids);
  while (bytes < 60000) {
    const char *word = words[random_next (&seed) % (WORDS - 1)];
    int32_t *part;
    size_t part_T;
    assert_int_equal (attn_tokenizer_encode (gpt2, word, strlen (word), 0, &part, &part_T, NULL),
                      ATTN_OK);
    memcpy (ids + T, part, part_T * sizeof *ids);
    memcpy (text + bytes, word, strlen (word));
    bytes += strlen (word);
    T += part_T;
    attn_ids_free (&part);
    if (word[0] == '\xE2') { /* two in a row would be one word */
      memcpy (text + bytes, " a", 2);
      bytes += 2;
      ids[T++] = 257;
    }
  }
  expect_ids (text, bytes, 0, ids, T);
  free (text);
  free (ids);
}

/* ---- tokens ---- */

static void test_view (void **state)
{
  (void)state;
  const char *token;
  size_t bytes;
  attn_error err = {""};
  assert_int_equal (attn_tokenizer_view (gpt2, 257, &token, &bytes, NULL), ATTN_OK);
  assert_int_equal (bytes, 2);
  assert_memory_equal (token, " a", 2);
  assert_int_equal (attn_tokenizer_view (gpt2, 50256, &token, &bytes, NULL), ATTN_OK);
  assert_int_equal (bytes, 13);
  assert_memory_equal (token, "<|endoftext|>", 13);
  assert_int_equal (attn_tokenizer_view (gpt2, 0, &token, &bytes, NULL), ATTN_OK);
  assert_memory_equal (token, "!", 1);

  static const int32_t outside[] = {-1, 50257, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    assert_int_equal (attn_tokenizer_view (gpt2, outside[i], &token, &bytes, &err), ATTN_E_RANGE);
    assert_non_null (strstr (err.text, "expected 0 to 50256"));
    char *text;
    assert_int_equal (attn_tokenizer_decode (gpt2, &outside[i], 1, &text, &bytes, &err),
                      ATTN_E_RANGE);
    assert_null (text);
  }
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_vectors),
                                     cmocka_unit_test (test_known_texts),
                                     cmocka_unit_test (test_special),
                                     cmocka_unit_test (test_white_space),
                                     cmocka_unit_test (test_words),
                                     cmocka_unit_test (test_invalid_utf8),
                                     cmocka_unit_test (test_round_trip_pairs),
                                     cmocka_unit_test (test_round_trip_random),
                                     cmocka_unit_test (test_long_word),
                                     cmocka_unit_test (test_repeated_words),
                                     cmocka_unit_test (test_view)};
  return cmocka_run_group_tests (tests, open_gpt2, close_gpt2);
}
