/* The safetensors format: what is read, what is refused, and that messages say why.
 * Files are built in memory, in blocks of their exact size, so that a read behind the end shows
 * under the sanitizers and valgrind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/half.h"
#include "model/safetensors.h"
#include "model/shards.h"

enum { LENGTH_BYTES = 8 };

static void put_length (unsigned char *file, uint64_t length)
{
  for (int i = 0; i < LENGTH_BYTES; i++)
    file[i] = (unsigned char)(length >> 8 * i);
}

/* file_create -- length, HEADER and DATA_BYTES bytes of DATA (NULL = zeros). */
static unsigned char *file_create (const char *header, const void *data, size_t data_bytes,
                                   size_t *bytes)
{
  size_t length = strlen (header);
  *bytes = LENGTH_BYTES + length + data_bytes;
  unsigned char *file = calloc (*bytes, 1);
  assert_non_null (file);
  put_length (file, length);
  memcpy (file + LENGTH_BYTES, header, length);
  if (data != NULL)
    memcpy (file + LENGTH_BYTES + length, data, data_bytes);
  return file;
}

/* expect -- parsing FILE gives an error with TEXT in its message, or succeeds when TEXT is NULL. */
static void expect (const unsigned char *file, size_t bytes, const char *what, const char *text)
{
  safetensors parsed;
  attn_error err = {""};
  attn_status status = safetensors_parse (&parsed, "x.safetensors", file, bytes, &err);
  if (text == NULL && status != ATTN_OK)
    fail_msg ("%s: %s", what, err.text);
  if (text != NULL && status != ATTN_E_MODEL_CORRUPT)
    fail_msg ("%s: status %d, expected '%s'", what, (int)status, text);
  if (text != NULL &&
      (strstr (err.text, text) == NULL || strstr (err.text, "x.safetensors") == NULL))
    fail_msg ("%s: got '%s', expected '%s'", what, err.text, text);
  safetensors_free (&parsed);
}

/* ---- values ---- */

static void test_values (void **state)
{
  (void)state;
  /* 1.5, -2, 0.25 in each type; the last tensor has no dimension and so one element. */
  static const float f32[] = {1.5f, -2, 0.25f};
  static const uint16_t f16[] = {0x3e00, 0xc000, 0x3400}, bf16[] = {0x3fc0, 0xc000, 0x3e80};
  static const double f64[] = {1.5, -2, 0.25};
  static const float scalar = 7;
  unsigned char data[12 + 6 + 6 + 24 + 4];
  memcpy (data, f32, 12);
  memcpy (data + 12, f16, 6);
  memcpy (data + 18, bf16, 6);
  memcpy (data + 24, f64, 24);
  memcpy (data + 48, &scalar, 4);
  for (int pad = 0; pad < 8; pad++) { /* moves the data to every offset modulo 8 */
    char header[1024];
    snprintf (header, sizeof header,
              "{\"__metadata__\":{\"format\":\"pt\"},"
              "\"d\":{\"dtype\":\"F64\",\"shape\":[3],\"data_offsets\":[24,48]},"
              "\"a\":{\"dtype\":\"F32\",\"shape\":[3,1],\"data_offsets\":[0,12]},"
              "\"b\":{\"dtype\":\"F16\",\"shape\":[1,3],\"data_offsets\":[12,18]},"
              "\"c\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[18,24]},"
              "\"e\":{\"shape\":[],\"data_offsets\":[48,52],\"dtype\":\"F32\"}}%*s",
              pad, "");
    size_t bytes;
    unsigned char *file = file_create (header, data, sizeof data, &bytes);
    safetensors parsed;
    attn_error err;
    assert_int_equal (safetensors_parse (&parsed, "x", file, bytes, &err), ATTN_OK);
    assert_int_equal (parsed.count, 5);
    for (size_t i = 0; i < 5; i++) { /* in the order of the data: a b c d e */
      const safetensors_tensor *t = &parsed.tensors[i];
      float out[3];
      assert_int_equal (t->name[0], "abcde"[i]);
      assert_int_equal (t->elements, i < 4 ? 3 : 1);
      assert_int_equal (t->dims, i < 2 ? 2 : i < 4 ? 1 : 0);
      safetensors_read_f32 (t, out);
      if (i < 4)
        assert_memory_equal (out, f32, sizeof f32);
      else
        assert_true (out[0] == scalar);
    }
    safetensors_free (&parsed);
    free (file);
  }
}

/* Every 16-bit number against its definition, sign * fraction * 2^exponent. */
static void test_halves (void **state)
{
  (void)state;
  for (unsigned x = 0; x <= 0xffff; x++) {
    int exponent = (int)(x >> 10 & 0x1f), fraction = (int)(x & 0x3ff);
    double value = exponent == 0 ? ldexp (fraction, -24) : ldexp (1024 + fraction, exponent - 25);
    if (exponent == 31)
      value = fraction != 0 ? (double)NAN : (double)INFINITY;
    float half = float_from_f16 ((uint16_t)x);
    assert_true (isnan (value) ? isnan (half) : (double)half == (x >> 15 != 0 ? -value : value));
    assert_int_equal (signbit (half) != 0, x >> 15);
    if (!isnan (value))
      assert_int_equal (f16_from_float (half), x);
  }
}

/* ---- headers ---- */

#define T(name, dtype, shape, offsets)                                                             \
  "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

static void test_headers (void **state)
{
  (void)state;
  static const struct {
    const char *header;
    size_t data_bytes;
    const char *expected; /* part of the message; NULL = accepted */
  } rows[] = {
      {"{}", 0, NULL},
      {"{" T ("w", "F32", "[2]", "[0,8]") "}", 8, NULL},
      {"{" T ("w", "F32", "[0,5]", "[0,0]") "}", 0, NULL},
      {"{" T ("w", "F32", "[9007199254740991,0,9007199254740991]", "[0,0]") "}", 0, NULL},
      {"{" T ("w", "BOOL", "[3]", "[0,3]") "," T ("v", "I64", "[1]", "[3,11]") "}", 11, NULL},
      {"{" T ("w", "F4", "[2,3]", "[0,3]") "," T ("v", "F6_E2M3", "[4]", "[3,6]") "}", 6, NULL},
      /* a tied weight: two names for one range */
      {"{" T ("w", "F32", "[2]", "[0,8]") "," T ("v", "F32", "[2]", "[0,8]") "}", 8, NULL},
      /* ranges */
      {"{" T ("wte", "F32", "[1]", "[8,4]") "}", 8, "tensor 'wte': data_offsets [8, 4] end before"},
      {"{" T ("wte", "F32", "[2]", "[-4,4]") "}", 8, "'data_offsets' of 'wte': expected a whole"},
      {"{" T ("wte", "F32", "[2]", "[0,12]") "}", 8,
       "tensor 'wte': data_offsets [0, 12] lie outside"},
      {"{" T ("wte", "F32", "[2]", "[0.5,8]") "}", 8, "'data_offsets' of 'wte'"},
      {"{" T ("wte", "F32", "[2]", "[0,9007199254740993]") "}", 8, "'data_offsets' of 'wte'"},
      {"{" T ("wte", "F32", "[2]", "[0,1e300]") "}", 8, "'data_offsets' of 'wte'"},
      {"{" T ("wte", "F32", "[2]", "[0,1e999]") "}", 8, "'data_offsets' of 'wte'"},
      {"{" T ("wte", "F32", "[2]", "[0]") "}", 8, "'wte': data_offsets: expected two numbers"},
      {"{" T ("wte", "F32", "[2]", "[0,8,8]") "}", 8, "'wte': data_offsets: expected two numbers"},
      {"{" T ("wte", "F32", "[2]", "8") "}", 8, "'wte': data_offsets: expected two numbers"},
      {"{" T ("wte", "F32", "[2]", "[\"0\",8]") "}", 8, "got a string"},
      {"{" T ("w", "F32", "[2]", "[0,8]") "," T ("v", "F32", "[2]", "[4,12]") "}", 12,
       "tensor 'v': data_offsets [4, 12] overlap others"},
      {"{" T ("w", "F32", "[2]", "[0,8]") "," T ("v", "F32", "[1]", "[0,4]") "}", 8,
       "overlap others"},
      {"{" T ("w", "F32", "[2]", "[4,12]") "}", 12, "leave a hole"},
      {"{" T ("w", "F32", "[2]", "[0,8]") "}", 9, "expected 8 bytes of data"},
      {"{" T ("w", "F32", "[2]", "[0,8]") "}", 7, "lie outside the file, which has 7 bytes"},
      /* shapes and types */
      {"{" T ("w", "F32", "[3]", "[0,8]") "}", 8,
       "type F32 need 12 bytes, data_offsets [0, 8] give 8"},
      {"{" T ("w", "F16", "[3]", "[0,8]") "}", 8, "type F16 need 6 bytes"},
      {"{" T ("w", "F99", "[2]", "[0,8]") "}", 8, "tensor 'w': unknown element type 'F99'"},
      {"{" T ("w", "", "[2]", "[0,8]") "}", 8, "unknown element type ''"},
      {"{" T ("w", "F\\u001b32", "[2]", "[0,8]") "}", 8, "unknown element type 'F?32'"},
      {"{" T ("w", "F4", "[3]", "[0,1]") "}", 1, "no possible number of bytes"},
      {"{" T ("w", "F32", "[4294967296,4294967296]", "[0,0]") "}", 0,
       "no possible number of bytes"},
      {"{" T ("w", "U8", "[4294967296,4294967295]", "[0,0]") "}", 0, "no possible number of bytes"},
      {"{" T ("w", "F32", "[9007199254740992]", "[0,8]") "}", 8, "'shape' of 'w'"},
      {"{" T ("w", "F32", "[-2]", "[0,8]") "}", 8, "'shape' of 'w'"},
      {"{" T ("w", "F32", "2", "[0,8]") "}", 8, "its shape is not an array"},
      {"{" T ("w", "F32", "[1,1,1,1,1,1,1,1,2]", "[0,8]") "}", 8, "at most 8 dimensions"},
      {"{\"w\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "'dtype' of 'w'"},
      {"{\"w\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8, "'shape' of 'w'"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, "'data_offsets' of 'w'"},
      {"{\"w\":{\"dtype\":3,\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "'dtype' of 'w'"},
      {"{\"w\":7}", 0, "'w': expected an object"},
      /* names */
      {"{" T ("wte", "F32", "[2]", "[0,8]") "," T ("wte", "F32", "[2]", "[0,8]") "}", 8,
       "'wte' appears twice"},
      {"{\"w\":{\"dtype\":\"F32\",\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
       "'dtype' appears twice"},
      {"{\"w\\u0000\":{}}", 0, "\\u0000"},
      /* not JSON, or not an object */
      {"", 0, "not JSON"},
      {"[]", 0, "expected an object"},
      {"{", 0, "not JSON"},
      {"{}}", 0, "not JSON"},
      {"{\"w\":", 0, "not JSON"},
      {"null", 0, "expected an object"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t bytes;
    unsigned char *file = file_create (rows[i].header, NULL, rows[i].data_bytes, &bytes);
    expect (file, bytes, rows[i].header, rows[i].expected);
    free (file);
  }
}

/* ---- lengths ---- */

static void test_lengths (void **state)
{
  (void)state;
  static const char header[] = "{" T ("w", "F32", "[2]", "[0,8]") "}";
  size_t bytes;
  unsigned char *file = file_create (header, NULL, 8, &bytes);
  const uint64_t wrong[] = {UINT64_MAX,      UINT64_MAX - 3, UINT64_MAX - 7, (uint64_t)bytes - 7,
                            (uint64_t)bytes, INT64_MAX,      100000001,      100000000};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    put_length (file, wrong[i]);
    expect (file, bytes, "length", wrong[i] > 100000000 ? "expected at most 100000000" : "cut off");
  }
  put_length (file, bytes - 8); /* the data are taken for a part of the header */
  expect (file, bytes, "length", "NUL byte");
  free (file);

  /* Every shorter file is refused too. */
  for (size_t cut = 0; cut < LENGTH_BYTES + strlen (header) + 8; cut++) {
    unsigned char *shorter = file_create (header, NULL, 8, &bytes);
    unsigned char *exact = malloc (cut > 0 ? cut : 1);
    assert_non_null (exact);
    memcpy (exact, shorter, cut);
    expect (exact, cut, "cut file", cut < 8 ? "expected at least 8 bytes, got" : "cut off");
    free (shorter);
    free (exact);
  }
}

static void test_other_files (void **state)
{
  (void)state;
  static const struct {
    const char *start, *expected;
  } rows[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:24\nsize 548105171\n",
       "not a safetensors file: it looks like a Git LFS pointer; download"},
      {"<!DOCTYPE html><html><body>", "not a safetensors file: it looks like a web page"},
      {" \r\n<!doctype html>", "it looks like a web page"},
      {"<HTML>", "it looks like a web page"},
      {"<html", "it looks like a web page"},
      {"<?xml version='1.0'?><Error>", "it looks like an XML page"},
      {"PK\003\004pytorch_model", "it looks like a zip archive"},
      {"{\"error\":\"Entry not found\"}", "expected at most 100000000"},
      {"<", "expected at least 8 bytes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t bytes = strlen (rows[i].start);
    unsigned char *file = malloc (bytes);
    assert_non_null (file);
    memcpy (file, rows[i].start, bytes);
    expect (file, bytes, rows[i].start, rows[i].expected);
    free (file);
  }
}

/* A header of 1e5 open brackets must not recurse 1e5 times, one of 1e5 tensors must not take 1e10
 * steps. */
static void test_large_headers (void **state)
{
  (void)state;
  enum { DEEP = 100000, TENSORS = 100000, ENTRY = 80 };
  size_t bytes, used = 0;
  char *header = malloc ((size_t)TENSORS * ENTRY);
  assert_non_null (header);
  memset (header, '[', DEEP);
  header[DEEP] = '\0';
  unsigned char *file = file_create (header, NULL, 0, &bytes);
  expect (file, bytes, "deep", "nested deeper");
  free (file);
  for (int twice = 0; twice < 2; twice++) {
    used = 0;
    for (int i = 0; i < TENSORS; i++)
      used += (size_t)snprintf (header + used, ENTRY,
                                "%c\"n%d\":{\"dtype\":\"U8\",\"shape\":[1],"
                                "\"data_offsets\":[%d,%d]}",
                                i > 0 ? ',' : '{', i == TENSORS - 1 && twice ? 0 : i, i, i + 1);
    memcpy (header + used, "}", 2);
    file = file_create (header, NULL, TENSORS, &bytes);
    expect (file, bytes, "many tensors", twice ? "'n0' appears twice" : NULL);
    free (file);
  }
  free (header);
}

/* ---- the index of a model in several files ---- */

static void test_shards (void **state)
{
  (void)state;
  static const struct {
    const char *text, *expected; /* NULL = accepted, with shards a and b */
  } rows[] = {
      {"{\"metadata\":{},\"weight_map\":{\"x\":\"b\",\"y\":\"a\",\"z\":\"b\"}}", NULL},
      {"{\"weight_map\":{\"x\":\"../b\"}}", "shard '../b': expected a file in the same folder"},
      {"{\"weight_map\":{\"x\":\"/etc/b\"}}", "shard '/etc/b'"},
      {"{\"weight_map\":{\"x\":\"c/b\"}}", "shard 'c/b'"},
      {"{\"weight_map\":{\"x\":\"c\\\\b\"}}", "shard 'c\\b'"},
      {"{\"weight_map\":{\"x\":\"..\"}}", "shard '..'"},
      {"{\"weight_map\":{\"x\":\".\"}}", "shard '.'"},
      {"{\"weight_map\":{\"x\":\"\"}}", "shard ''"},
      {"{\"weight_map\":{\"x\":5}}", "'x' of 'weight_map': expected a string"},
      {"{\"weight_map\":{\"x\":\"a\",\"x\":\"b\"}}", "'x' appears twice"},
      {"{\"weight_map\":{}}", "names no shard"},
      {"{\"weight_map\":[]}", "expected an object"},
      {"{}", "'weight_map'"},
      {"[]", "expected an object"},
      {"{\"weight_map\"", "not JSON"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    shard_list list;
    attn_error err = {""};
    const char *text = rows[i].text;
    attn_status status = shard_list_parse (&list, "index.json", text, strlen (text), &err);
    if (rows[i].expected == NULL) {
      assert_int_equal (status, ATTN_OK);
      assert_int_equal (list.count, 2);
      assert_string_equal (list.names[0], "a");
      assert_string_equal (list.names[1], "b");
    } else if (status != ATTN_E_MODEL_CORRUPT || strstr (err.text, rows[i].expected) == NULL) {
      fail_msg ("%s: got '%s', expected '%s'", text, err.text, rows[i].expected);
    }
    shard_list_free (&list);
  }
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_values),      cmocka_unit_test (test_halves),
      cmocka_unit_test (test_headers),     cmocka_unit_test (test_lengths),
      cmocka_unit_test (test_other_files), cmocka_unit_test (test_large_headers),
      cmocka_unit_test (test_shards),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
