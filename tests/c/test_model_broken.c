/* Model folders that are broken: each says which file, which tensor or setting, what was expected
 * and what came. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "support/folder.h"
#include "support/model.h"

#define MODEL "model.safetensors"
#define CONFIG "config.json"
static const char plain[] = MODELS "plain_f32";

/* replace -- in file NAME the first OLD becomes FRESH; of the same length where offsets matter. */
static void replace (const char *folder, const char *name, const char *old, const char *fresh)
{
  size_t bytes, length = strlen (old), fresh_length = strlen (fresh), at = 0;
  char *data = folder_read (folder, name, &bytes);
  assert_true (length == fresh_length || strstr (name, ".safetensors") == NULL ||
               strstr (name, ".json") != NULL);
  while (at + length <= bytes && memcmp (data + at, old, length) != 0)
    at++;
  if (at + length > bytes)
    fail_msg ("%s has no '%s'", name, old);
  char *changed = malloc (bytes + fresh_length);
  assert_non_null (changed);
  memcpy (changed, data, at);
  memcpy (changed + at, fresh, fresh_length);
  memcpy (changed + at + fresh_length, data + at + length, bytes - at - length);
  folder_write (folder, name, changed, bytes - length + fresh_length);
  free (data);
  free (changed);
}

/* One change to a copy of a good folder, and what opening it says. */
typedef struct {
  const char *file;
  const char *old, *fresh; /* replaced; old NULL: the file becomes `fresh`; both NULL: removed */
  attn_status status;
  const char *expected;
} broken_row;

static void check_broken (const char *good, const broken_row *rows, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    char folder[FOLDER_PATH], path[FOLDER_PATH];
    folder_create (folder);
    folder_copy (good, folder);
    if (rows[i].old != NULL)
      replace (folder, rows[i].file, rows[i].old, rows[i].fresh);
    else if (rows[i].fresh != NULL)
      folder_write (folder, rows[i].file, rows[i].fresh, strlen (rows[i].fresh));
    else {
      file_path (path, folder, rows[i].file);
      assert_int_equal (unlink (path), 0);
    }
    model_expect_error (folder, rows[i].status, rows[i].expected);
    folder_remove (folder);
  }
}

static void test_broken_plain (void **state)
{
  (void)state;
  static const broken_row rows[] = {
      {CONFIG, NULL, NULL, ATTN_E_MODEL_NOT_FOUND, "config.json': No such file"},
      {MODEL, NULL, NULL, ATTN_E_MODEL_NOT_FOUND, "neither model.safetensors nor"},
      {"vocab.json", NULL, NULL, ATTN_E_MODEL_NOT_FOUND, "vocab.json': No such file"},
      {"merges.txt", NULL, NULL, ATTN_E_MODEL_NOT_FOUND, "merges.txt': No such file"},
      {CONFIG, NULL, "", ATTN_E_MODEL_CORRUPT, "config.json: not JSON"},
      {MODEL, NULL, "", ATTN_E_MODEL_CORRUPT, "expected at least 8 bytes, got 0"},
      {"vocab.json", NULL, "", ATTN_E_MODEL_CORRUPT, "vocab.json"},
      {CONFIG, NULL, "<!DOCTYPE html>", ATTN_E_MODEL_CORRUPT,
       "config.json: not JSON: it looks like a web page"},
      {MODEL, NULL, "<!DOCTYPE html>", ATTN_E_MODEL_CORRUPT,
       "not a safetensors file: it looks like a web page"},
      {MODEL, NULL, "version https://git-lfs.github.com/spec/v1\n", ATTN_E_MODEL_CORRUPT,
       "a Git LFS pointer; download"},
      {"vocab.json", NULL, "<html>", ATTN_E_MODEL_CORRUPT, "vocab.json: it looks like a web page"},
      {"merges.txt", NULL, "version https://git-lfs", ATTN_E_MODEL_CORRUPT,
       "merges.txt: it looks like a Git LFS"},
      /* config.json and the weights disagree */
      {CONFIG, "\"n_embd\": 24", "\"n_embd\": 27", ATTN_E_MODEL_CORRUPT,
       "tensor 'wte.weight': expected shape [317 27], as config.json gives it, got [317 24]"},
      {CONFIG, "\"vocab_size\": 317", "\"vocab_size\": 318", ATTN_E_MODEL_CORRUPT,
       "expected shape [318 24]"},
      {CONFIG, "\"n_positions\": 32", "\"n_positions\": 64", ATTN_E_MODEL_CORRUPT,
       "tensor 'wpe.weight': expected shape [64 24], as config.json gives it, got [32 24]"},
      {CONFIG, "\"n_layer\": 2", "\"n_layer\": 3", ATTN_E_MODEL_CORRUPT,
       "tensor 'h.2.ln_1.weight', expected with shape [24], is missing"},
      {CONFIG, "\"n_layer\": 2", "\"n_layer\": 1", ATTN_E_MODEL_CORRUPT,
       "tensor 'h.1.ln_1.weight' belongs to a block behind the 1 of 'n_layer'"},
      {CONFIG, "\"initializer_range\": 0.02", "\"n_inner\": 97", ATTN_E_MODEL_CORRUPT,
       "tensor 'h.0.mlp.c_fc.weight': expected shape [24 97]"},
      /* absurd sizes end before anything is allocated for them */
      {CONFIG, "\"n_layer\": 2,\n \"vocab_size\": 317", "\"n_layer\":2147483647,\"vocab_size\":317",
       ATTN_E_MODEL_CORRUPT, "tensor 'h.2.ln_1.weight'"},
      /* the header */
      {MODEL, "\"h.1.ln_2.bias\"", "\"h.1.ln_2.gain\"", ATTN_E_MODEL_CORRUPT,
       "tensor 'h.1.ln_2.bias', expected with shape [24], is missing"},
      {MODEL, "[24,72]", "[72,24]", ATTN_E_MODEL_CORRUPT,
       "c_attn.weight': expected shape [24 72], as config.json gives it, got [72 24]"},
      {MODEL, "[32,24]", "[768]  ", ATTN_E_MODEL_CORRUPT, "got [768]"},
      {MODEL, "\"F32\"", "\"I32\"", ATTN_E_MODEL_CORRUPT,
       "expected type F32, F16, BF16 or F64, got I32"},
      {MODEL, "\"F32\"", "\"F99\"", ATTN_E_MODEL_CORRUPT, "unknown element type 'F99'"},
      {MODEL, "\"h.0.ln_2.weight\"", "\"h.1.ln_2.weight\"", ATTN_E_MODEL_CORRUPT,
       "'h.1.ln_2.weight' appears twice"},
      {MODEL, "\"h.0.attn.bias\"", "\"h.0.ln_1.bias\"", ATTN_E_MODEL_CORRUPT,
       "'h.0.ln_1.bias' appears twice"},
      {MODEL, "[0,96]", "[96,0]", ATTN_E_MODEL_CORRUPT,
       "data_offsets [96, 0] end before they begin"},
      {MODEL, "[0,96]", "[-4,4]", ATTN_E_MODEL_CORRUPT, "'data_offsets' of 'h.0.attn.c_proj.bias'"},
      /* the tokenizer */
      {CONFIG, "\"vocab_size\": 317", "\"vocab_size\": 300", ATTN_E_MODEL_CORRUPT,
       "expected shape [300 24]"},
      {"vocab.json", "\"!\": 0", "\"!\": 5", ATTN_E_MODEL_CORRUPT, "vocab.json"},
      {"vocab.json", "316}", "317}", ATTN_E_MODEL_CORRUPT,
       "vocab.json: expected at most 317 entries, the 'vocab_size' of config.json, got 318"},
  };
  check_broken (plain, rows, sizeof rows / sizeof rows[0]);
}

static void test_broken_others (void **state)
{
  (void)state;
  static const broken_row shards[] = {
      {"model-00001-of-00002.safetensors", NULL, NULL, ATTN_E_MODEL_NOT_FOUND,
       "model-00001-of-00002.safetensors': No such"},
      {"model-00002-of-00002.safetensors", NULL, NULL, ATTN_E_MODEL_NOT_FOUND,
       "model-00002-of-00002.safetensors': No such"},
      {"model-00002-of-00002.safetensors", NULL, "oops", ATTN_E_MODEL_CORRUPT,
       "model-00002-of-00002.safetensors: not a safetensors"},
      {"model.safetensors.index.json", NULL, NULL, ATTN_E_MODEL_NOT_FOUND,
       "neither model.safetensors nor"},
      {"model.safetensors.index.json", "\"model-00001-of-00002.safetensors\"",
       "\"../model-01-of-00002.safetensors\"", ATTN_E_MODEL_CORRUPT, "shard '../model-01"},
      {"model.safetensors.index.json", NULL,
       "{\"weight_map\":{\"wte.weight\":\"model-00002-of-00002.safetensors\"}}",
       ATTN_E_MODEL_CORRUPT, "tensor 'h.0.ln_1.weight', expected with shape [32], is missing"},
      {"model-00002-of-00002.safetensors", "\"ln_f.weight\"", "\"ln_f.bias\"  ",
       ATTN_E_MODEL_CORRUPT, "tensor 'ln_f.bias' is there twice"},
  };
  check_broken (MODELS "sharded_f16", shards, sizeof shards / sizeof shards[0]);
  static const broken_row prefixed[] = {
      {MODEL, "\"transformer.wpe.weight\"", "\"wte.weight\"            ", ATTN_E_MODEL_CORRUPT,
       "is there twice"},
      /* the head is tied, but its data are those of other tensors */
      {MODEL, "\"data_offsets\":[28832,38976]", "\"data_offsets\":[28833,38977]",
       ATTN_E_MODEL_CORRUPT, "'lm_head.weight'"},
  };
  check_broken (MODELS "prefixed_bf16", prefixed, sizeof prefixed / sizeof prefixed[0]);
}

/* A head that differs from wte although config.json says that it is tied. */
static void test_other_head (void **state)
{
  (void)state;
  char folder[FOLDER_PATH];
  folder_create (folder);
  folder_copy (MODELS "prefixed_bf16", folder);
  size_t bytes;
  char *file = folder_read (folder, MODEL, &bytes);
  file[8 + 3784 + 28832] ^= 1;
  folder_write (folder, MODEL, file, bytes);
  model_expect_error (folder, ATTN_E_MODEL_CORRUPT,
                      "tensor 'lm_head.weight' differs from wte.weight");
  /* cut anywhere: never a model */
  for (size_t cut = 0; cut < bytes; cut += 997) {
    folder_write (folder, MODEL, file, cut);
    model_expect_error (folder, ATTN_E_MODEL_CORRUPT, "model.safetensors");
  }
  free (file);
  folder_remove (folder);
}

static void test_odd_paths (void **state)
{
  (void)state;
  char folder[FOLDER_PATH], path[FOLDER_PATH], *longest = malloc (100001);
  assert_non_null (longest);
  memset (longest, 'x', 100000);
  longest[100000] = '\0';
  model_expect_error (longest, ATTN_E_MODEL_NOT_FOUND, "too long");
  free (longest);
  model_expect_error ("", ATTN_E_MODEL_NOT_FOUND, "is empty");
  model_expect_error ("no such %s%n folder", ATTN_E_MODEL_NOT_FOUND,
                      "'no such %s%n folder': No such");
  model_expect_error (MODELS "plain_f32/config.json", ATTN_E_MODEL_NOT_FOUND,
                      "is a file, expected the folder");
  folder_create (folder);
  folder_copy (plain, folder);
  file_path (path, folder, MODEL);
  assert_int_equal (unlink (path), 0);
  assert_int_equal (mkfifo (path, 0600), 0); /* must not wait for a writer */
  model_expect_error (folder, ATTN_E_MODEL_NOT_FOUND, "is no regular file, expected a file");
  assert_int_equal (unlink (path), 0);
  folder_write (folder, "pytorch_model.bin", "x", 1);
  model_expect_error (folder, ATTN_E_MODEL_NOT_FOUND,
                      "pytorch_model.bin is a format that is not read");
  assert_int_equal (mkdir (path, 0700), 0);
  model_expect_error (folder, ATTN_E_MODEL_NOT_FOUND, "is a folder, expected a file");
  assert_int_equal (rmdir (path), 0);
  folder_remove (folder);
}

static void test_unreadable (void **state)
{
  (void)state;
  char folder[FOLDER_PATH], path[FOLDER_PATH];
  folder_create (folder);
  folder_copy (plain, folder);
  assert_int_equal (chmod (folder, 0755), 0);
  file_path (path, folder, CONFIG);
  assert_int_equal (chmod (path, 0), 0);
  assert_true (as_nobody (1));
  model_expect_error (folder, ATTN_E_MODEL_NOT_FOUND, "config.json': Permission denied");
  assert_true (as_nobody (0));
  folder_remove (folder);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_broken_plain), cmocka_unit_test (test_broken_others),
      cmocka_unit_test (test_other_head),   cmocka_unit_test (test_odd_paths),
      cmocka_unit_test (test_unreadable),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
