/* Every allocation of the tokenizer fails once: a clean error, nothing
 * leaked, and it works again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attn/tokenizer.h"
#include "attn/train_tokenizer.h"
#include "fault/alloc.h"
#include "support/text_file.h"

#define FOLDER "tests/fixtures/gpt2_models/plain_f32/"

/* A step that can fail; it leaves nothing behind when it does. */
typedef attn_status step (void *context, attn_error *err);

static void expect_all_faults_clean (step *run, void *context, long at_least)
{
  attn_error err;
  long live = fault_live ();
  fault_set (-1);
  assert_int_equal (run (context, &err), ATTN_OK);
  long calls = fault_count ();
  assert_true (calls >= at_least);
  for (long n = 1; n <= calls; n++) {
    fault_set (n);
    err.text[0] = '\0';
    attn_status status = run (context, &err);
    fault_set (-1);
    assert_int_equal (status, ATTN_E_NOMEM);
    assert_true (strncmp (err.text, "out of memory", 13) == 0);
    assert_int_equal (fault_live (), live);
  }
  assert_int_equal (run (context, &err), ATTN_OK);
  assert_int_equal (fault_live (), live);
}

typedef struct {
  char *merges, *vocab;
  size_t merges_bytes, vocab_bytes;
} files;

static attn_status open_once (void *context, attn_error *err)
{
  const files *f = context;
  attn_tokenizer *t;
  attn_status status =
      attn_tokenizer_open (&t, f->merges, f->merges_bytes, f->vocab, f->vocab_bytes, err);
  assert_true ((t == NULL) == (status != ATTN_OK));
  attn_tokenizer_close (&t);
  return status;
}

static void test_open (void **state)
{
  (void)state;
  files f;
  f.merges = text_file_read (FOLDER "merges.txt", &f.merges_bytes);
  f.vocab = text_file_read (FOLDER "vocab.json", &f.vocab_bytes);
  expect_all_faults_clean (open_once, &f, 8);
  free (f.vocab);
  f.vocab = NULL;
  expect_all_faults_clean (open_once, &f, 6);
  free (f.merges);
}

typedef struct {
  attn_tokenizer *tokenizer;
  char text[4000];
} encoding;

static attn_status encode_once (void *context, attn_error *err)
{
  encoding *e = context;
  int32_t *ids;
  size_t T;
  attn_status status =
      attn_tokenizer_encode (e->tokenizer, e->text, sizeof e->text, 1, &ids, &T, err);
  assert_true ((ids == NULL) == (status != ATTN_OK));
  attn_ids_free (&ids);
  return status;
}

static attn_status decode_once (void *context, attn_error *err)
{
  encoding *e = context;
  static const int32_t ids[] = {262, 269, 265};
  char *text;
  size_t bytes;
  attn_status status = attn_tokenizer_decode (e->tokenizer, ids, 3, &text, &bytes, err);
  assert_true ((text == NULL) == (status != ATTN_OK));
  attn_text_free (&text);
  return status;
}

static attn_status write_once (void *context, attn_error *err)
{
  encoding *e = context;
  char *text;
  size_t bytes;
  attn_status status = attn_tokenizer_vocabulary (e->tokenizer, &text, &bytes, err);
  assert_true ((text == NULL) == (status != ATTN_OK));
  attn_text_free (&text);
  return status;
}

static attn_status train_once (void *context, attn_error *err)
{
  encoding *e = context;
  attn_bpe_files learned;
  attn_status status = attn_bpe_train (&learned, e->text, sizeof e->text, 300, 1, NULL, err);
  assert_true ((learned.merges == NULL) == (status != ATTN_OK));
  attn_bpe_files_free (&learned);
  return status;
}

/* Words of growing length, so that the scratch memory and the ids grow several times. */
static void test_encode (void **state)
{
  (void)state;
  files f;
  encoding e;
  f.merges = text_file_read (FOLDER "merges.txt", &f.merges_bytes);
  fault_set (-1);
  assert_int_equal (attn_tokenizer_open (&e.tokenizer, f.merges, f.merges_bytes, NULL, 0, NULL),
                    ATTN_OK);
  memset (e.text, 't', sizeof e.text);
  for (size_t i = 0, gap = 5; i < sizeof e.text; i += gap, gap += 40)
    e.text[i] = ' ';
  memcpy (e.text + 100, "<|endoftext|>", 13);
  expect_all_faults_clean (encode_once, &e, 10);
  expect_all_faults_clean (decode_once, &e, 1);
  expect_all_faults_clean (write_once, &e, 5);
  expect_all_faults_clean (train_once, &e, 20);
  attn_tokenizer_close (&e.tokenizer);
  assert_int_equal (fault_live (), 0);
  free (f.merges);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_open), cmocka_unit_test (test_encode)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
