/* Every allocation of opening and of writing a model fails once: a clean error, nothing leaks, and
 * a file that was there stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fault/alloc.h"
#include "model/writer.h"
#include "support/folder.h"
#include "support/model.h"

enum { CALLS_MAX = 100000 }; /* far more than any of the runs makes */

static void test_open (void **state)
{
  (void)state;
  static const char *const folders[] = {MODELS "plain_f32", MODELS "prefixed_bf16",
                                        MODELS "sharded_f16"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    attn_status status = ATTN_E_NOMEM;
    long n = 0;
    while (status != ATTN_OK) {
      attn_gpt2 *model;
      attn_error err = {""};
      assert_true (++n < CALLS_MAX);
      fault_set (n);
      status = attn_gpt2_open (&model, folders[i], &err);
      fault_set (0);
      if (status != ATTN_OK) {
        assert_int_equal (status, ATTN_E_NOMEM);
        assert_non_null (strstr (err.text, "memory"));
        assert_null (model);
      }
      attn_gpt2_close (&model);
      assert_int_equal (fault_live (), 0);
    }
    assert_true (n > 20); /* a model is more than a few blocks: the faults did reach it */
  }
}

static void test_write (void **state)
{
  (void)state;
  char folder[FOLDER_PATH];
  folder_create (folder);
  folder_copy (MODELS "plain_f32", folder);
  attn_gpt2 *model = model_open (folder);
  long live = fault_live (), n = 0;
  attn_status status = ATTN_E_NOMEM;
  while (status != ATTN_OK) {
    assert_true (++n < CALLS_MAX);
    fault_set (n);
    status = gpt2_model_write (folder, &model->config, &model->weights, 316, ATTN_STORE_F16, NULL);
    fault_set (0);
    assert_int_equal (fault_live (), live);
    assert_int_equal (folder_count (folder), 5);
    if (status != ATTN_OK)
      assert_int_equal (status, ATTN_E_NOMEM);
  }
  assert_true (n > 5);
  attn_gpt2_close (&model);
  model = model_open (folder);
  attn_gpt2_close (&model);
  folder_remove (folder);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_open), cmocka_unit_test (test_write)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
