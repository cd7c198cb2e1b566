/* JSON files of a model: what is read, what is refused, and that messages name the key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/json.h"

static json_document *parse (const char *text)
{
  json_document *doc;
  attn_error err = {""};
  attn_status status = json_parse (&doc, "test.json", text, strlen (text), &err);
  if (status != ATTN_OK)
    fail_msg ("%s -> %s", text, err.text);
  return doc;
}

static void test_walk (void **state)
{
  (void)state;
  json_document *doc = parse ("\xEF\xBB\xBF {\"a\": 1, \"b\": [10, -2, \"x\"], \"t\": true,\n"
                              "\"n\": null, \"\\u0120q\\\"\": 5e-1, \"A\": {}} \n");
  json_value root = json_root (doc), v;
  assert_int_equal (json_kind_of (root), JSON_OBJECT);
  assert_int_equal (json_count (root), 6);

  static const char *const keys[] = {"a", "b", "t", "n", "\xC4\xA0q\"", "A"};
  static const json_kind kinds[] = {JSON_NUMBER, JSON_ARRAY,  JSON_BOOLEAN,
                                    JSON_NULL,   JSON_NUMBER, JSON_OBJECT};
  size_t i = 0;
  for (v = json_first (root); json_kind_of (v) != JSON_ABSENT; v = json_next (v), i++) {
    assert_string_equal (json_key (v), keys[i]);
    assert_int_equal (json_kind_of (v), kinds[i]);
  }
  assert_int_equal (i, 6);

  size_t size;
  double number;
  bool flag;
  const char *string;
  assert_int_equal (json_read_size (json_find (root, "a"), &size, NULL), ATTN_OK);
  assert_int_equal (size, 1);
  assert_int_equal (json_read_number (json_find (root, "\xC4\xA0q\""), &number, NULL), ATTN_OK);
  assert_true (number == 0.5);
  assert_int_equal (json_read_boolean (json_find (root, "t"), &flag, NULL), ATTN_OK);
  assert_true (flag);
  v = json_first (json_find (root, "b"));
  assert_int_equal (json_read_size (v, &size, NULL), ATTN_OK);
  assert_int_equal (size, 10);
  v = json_next (json_next (v));
  assert_int_equal (json_read_string (v, &string, NULL), ATTN_OK);
  assert_string_equal (string, "x");
  assert_int_equal (json_kind_of (json_next (v)), JSON_ABSENT);
  assert_int_equal (json_kind_of (json_find (root, "missing")), JSON_ABSENT);
  assert_int_equal (json_kind_of (json_find (v, "a")), JSON_ABSENT);
  json_free (&doc);
  assert_null (doc);
  json_free (&doc);
}

/* Whole numbers around the limit of exact doubles: the text either is read as
 * it stands or refused. */
static void test_sizes (void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t value;
    int ok;
  } cases[] = {{"0", 0, 1},
               {"-0", 0, 1},
               {"9007199254740991", 9007199254740991, 1},
               {"9007199254740992", 0, 0},
               {"9007199254740993", 0, 0},
               {"18446744073709551615", 0, 0},
               {"1e999", 0, 0},
               {"-1", 0, 0},
               {"1.5", 0, 0},
               {"1e3", 1000, 1},
               {"\"1\"", 0, 0},
               {"null", 0, 0},
               {"true", 0, 0},
               {"[]", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    json_document *doc = parse (cases[i].text);
    size_t value = 0;
    attn_status status = json_read_size (json_root (doc), &value, NULL);
    assert_int_equal (status, cases[i].ok ? ATTN_OK : ATTN_E_MODEL_CORRUPT);
    assert_int_equal (value, cases[i].value);
    json_free (&doc);
  }
}

static void expect_refused (const char *text, size_t bytes, const char *part)
{
  json_document *doc = NULL;
  attn_error err = {""};
  assert_int_equal (json_parse (&doc, "test.json", text, bytes, &err), ATTN_E_MODEL_CORRUPT);
  assert_null (doc);
  if (strstr (err.text, part) == NULL || strstr (err.text, "test.json") == NULL)
    fail_msg ("'%s' does not contain '%s'", err.text, part);
}

static void test_refused (void **state)
{
  (void)state;
  static const char *const texts[] = {"{",           "[1,]",  "{\"a\":1,}",  "{\"a\" 1}",
                                      "{a:1}",       "\"a",   "\"a\\",       "tru",
                                      "-",           "[1 2]", "\"\\ud800\"", "\"\\x\"",
                                      "{\"a\":1}x",  "1 2",   "]",           "<!DOCTYPE html>",
                                      "{\"a\":1}{}", "'a'",   "NaN",         "Infinity"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    expect_refused (texts[i], strlen (texts[i]), "not JSON");
  expect_refused ("", 0, "empty");
  expect_refused ("{\"a\":\0 1}", 9, "NUL");
  expect_refused ("{\"a\":1}\0", 8, "NUL");
  expect_refused ("[\"a\\u0000b\"]", 12, "\\u0000");

  json_document *doc = parse ("\"\\\\u0000\""); /* an escaped backslash, then plain letters */
  const char *string;
  assert_int_equal (json_read_string (json_root (doc), &string, NULL), ATTN_OK);
  assert_string_equal (string, "\\u0000");
  json_free (&doc);
}

static void test_depth (void **state)
{
  (void)state;
  enum { DEEP = 100000 };
  char *text = attn_alloc (2 * DEEP, 1);
  assert_non_null (text);
  memset (text, '[', DEEP);
  memset (text + DEEP, ']', DEEP);
  expect_refused (text, DEEP, "nested deeper");
  expect_refused (text, 2 * DEEP, "nested deeper");
  const char *inside = text + DEEP - JSON_DEPTH_MAX;
  json_document *doc = NULL;
  assert_int_equal (json_parse (&doc, "deep", inside, 2 * JSON_DEPTH_MAX, NULL), ATTN_OK);
  json_free (&doc);
  attn_free (text);
}

/* Nothing behind the given length is read: the text has no room for even one more byte. */
static void test_length (void **state)
{
  (void)state;
  static const char source[] = "{\"key\": [1, 2.5e1, \"v\\n\"]}";
  for (size_t n = 0; n < sizeof source - 1; n++) {
    char *text = attn_alloc (n, 1);
    json_document *doc = NULL;
    memcpy (text, source, n);
    assert_int_equal (json_parse (&doc, "cut", text, n, NULL), ATTN_E_MODEL_CORRUPT);
    attn_free (text);
  }
}

static void test_messages (void **state)
{
  (void)state;
  json_document *doc = parse ("{\"n\": \"12\", \"t\": {\"offsets\": [0, -4]}, \"n\": 1e999}");
  json_value root = json_root (doc), v;
  attn_error err = {""};
  size_t size;
  double number;
  bool flag;

  assert_int_equal (json_read_size (json_find (root, "n"), &size, &err), ATTN_E_MODEL_CORRUPT);
  assert_string_equal (err.text,
                       "test.json: 'n': expected a whole number from 0 to 2^53 - 1, got a string");
  v = json_next (json_first (json_find (json_find (root, "t"), "offsets")));
  assert_int_equal (json_read_size (v, &size, &err), ATTN_E_MODEL_CORRUPT);
  assert_string_equal (err.text, "test.json: 'offsets' of 't': expected a whole number from 0 to "
                                 "2^53 - 1, got -4");
  assert_int_equal (json_require (root, "absent", &v, &err), ATTN_E_MODEL_CORRUPT);
  assert_string_equal (err.text,
                       "test.json: 'absent': expected a value, got nothing (the key is missing)");
  assert_int_equal (json_read_boolean (json_find (root, "absent"), &flag, &err),
                    ATTN_E_MODEL_CORRUPT);
  assert_string_equal (err.text, "test.json: 'absent': expected true or false, got nothing");
  v = json_next (json_next (json_first (root)));
  assert_int_equal (json_read_number (v, &number, &err), ATTN_E_MODEL_CORRUPT);
  assert_string_equal (
      err.text, "test.json: 'n': expected a finite number, got one beyond the range of double");
  assert_int_equal (json_check_unique (root, &err), ATTN_E_MODEL_CORRUPT);
  assert_string_equal (err.text, "test.json: the key 'n' appears twice");
  assert_int_equal (json_check_unique (json_find (root, "t"), &err), ATTN_OK);
  assert_int_equal (json_check_unique (json_first (root), &err), ATTN_E_MODEL_CORRUPT);
  json_free (&doc);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_walk),    cmocka_unit_test (test_sizes),
      cmocka_unit_test (test_refused), cmocka_unit_test (test_depth),
      cmocka_unit_test (test_length),  cmocka_unit_test (test_messages)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
