/* The tool that writes random models (tests/tools/random_gpt2.c): what it writes opens, has the
 * geometry asked for and sensible numbers, and depends on the seed alone. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "support/folder.h"
#include "support/model.h"

static const char merges[] = MODELS "plain_f32/merges.txt"; /* 60 merges: 317 tokens */

/* run_tool -- exit code of the tool, which is in BUILD/tools when this
 * program is in BUILD/tests. */
static int run_tool (const char *folder, const char *merges_file, const char *options)
{
  char here[FOLDER_PATH], command[4 * FOLDER_PATH];
  ssize_t length = readlink ("/proc/self/exe", here, sizeof here - 1);
  assert_true (length > 0);
  here[length] = '\0';
  for (int i = 0; i < 2; i++)
    *strrchr (here, '/') = '\0';
  snprintf (command, sizeof command, "'%s/tools/random_gpt2' '%s' '%s' %s 2>'%s/said'", here,
            folder, merges_file, options, folder);
  int code = system (command);
  assert_true (WIFEXITED (code));
  return WEXITSTATUS (code);
}

/* check_mean -- mean and deviation of COUNT numbers, each within six standard errors. */
static void check_mean (const float *x, size_t count, double mean, double deviation)
{
  double sum = 0, squares = 0, n = (double)count;
  for (size_t i = 0; i < count; i++) {
    sum += (double)x[i];
    squares += ((double)x[i] - mean) * ((double)x[i] - mean);
  }
  assert_true (fabs (sum / n - mean) < 6 * deviation / sqrt (n));
  assert_true (fabs (sqrt (squares / n) - deviation) < 6 * deviation / sqrt (2 * n));
}

static void test_model (void **state)
{
  (void)state;
  char folder[FOLDER_PATH];
  folder_create (folder);
  for (int half = 0; half < 2; half++) {
    assert_int_equal (run_tool (folder, merges, half ? "3,2,16,300,20 f16" : "3,2,16,300,20"), 0);
    attn_gpt2 *model = model_open (folder);
    const attn_gpt2_config *c = attn_gpt2_config_get (model);
    assert_true (c->L == 3 && c->H == 2 && c->C == 16 && c->F == 64 && c->V == 300);
    assert_true (c->T_max == 20 && c->tied_head);
    assert_int_equal (attn_tokenizer_size (attn_gpt2_tokenizer_get (model)), 300);
    assert_int_equal (attn_tokenizer_end_of_text (attn_gpt2_tokenizer_get (model)), 299);
    assert_int_equal (model->converted_count, half ? 4 + 12 * 3 : 0);
    check_mean (model->weights.wte, 300 * 16, 0, 0.02);
    check_mean (model->weights.ln_f_weight, 16, 1, 0.02);
    check_mean (model->weights.blocks[2].mlp_c_proj_weight, 64 * 16, 0, 0.02 / sqrt (6));
    attn_gpt2_close (&model);
  }
  folder_remove (folder);
}

static void test_seed (void **state)
{
  (void)state;
  static const char *const options[] = {"1,1,4,257,8 f32 7", "1,1,4,257,8 f32 7",
                                        "1,1,4,257,8 f32 8"};
  char folders[3][FOLDER_PATH], *files[3];
  size_t bytes[3];
  for (int i = 0; i < 3; i++) {
    folder_create (folders[i]);
    assert_int_equal (run_tool (folders[i], "-", options[i]), 0);
    files[i] = folder_read (folders[i], "model.safetensors", &bytes[i]);
    folder_remove (folders[i]);
  }
  assert_int_equal (bytes[0], bytes[1]);
  assert_int_equal (bytes[0], bytes[2]);
  assert_memory_equal (files[0], files[1], bytes[0]);
  assert_memory_not_equal (files[0], files[2], bytes[0]);
  for (int i = 0; i < 3; i++)
    free (files[i]);
}

static void test_wrong_calls (void **state)
{
  (void)state;
  static const struct {
    const char *merges_file, *options;
    int code;
    const char *said;
  } rows[] = {
      {"-", "", 2, "usage:"},
      {"-", "gpt5", 2, "usage:"},
      {"-", "1,2,3", 2, "usage:"},
      {"-", "1,3,4,257,8", 1, "'n_head' that divides 'n_embd', got 3 and 4"},
      {"-", "1,1,4,200,8", 1, "expected at least 257, got 200"},
      {"-", "1,1,4,258,8", 1, "expected 1 merges"},
      {"no such file", "1,1,4,258,8", 1, "'no such file': expected 1 merges"},
      {merges, "1,1,4,318,8", 1, "expected 61 merges"},
  };
  char folder[FOLDER_PATH];
  folder_create (folder);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t bytes;
    assert_int_equal (run_tool (folder, rows[i].merges_file, rows[i].options), rows[i].code);
    char *said = folder_read (folder, "said", &bytes);
    if (strstr (said, rows[i].said) == NULL)
      fail_msg ("got '%s', expected '%s'", said, rows[i].said);
    free (said);
  }
  folder_remove (folder);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_model),
      cmocka_unit_test (test_seed),
      cmocka_unit_test (test_wrong_calls),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
