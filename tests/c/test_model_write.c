/* Writing models: what is written is read back, and a failure leaves what was there. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "model/layout.h"
#include "model/writer.h"
#include "support/folder.h"
#include "support/model.h"

static const char plain[] = MODELS "plain_f32";

static void test_write (void **state)
{
  (void)state;
  char folder[FOLDER_PATH];
  folder_create (folder);
  folder_copy (plain, folder);
  attn_gpt2 *model = model_open (plain);
  for (int half = 0; half < 2; half++) {
    attn_error err;
    attn_store store = half ? ATTN_STORE_F16 : ATTN_STORE_F32;
    assert_int_equal (gpt2_model_write (folder, &model->config, &model->weights, 316, store, &err),
                      ATTN_OK);
    assert_int_equal (folder_count (folder), 5); /* no temporary file is left */
    attn_gpt2 *again = model_open (folder);
    if (!half) {
      model_assert_same (model, again);
      assert_int_equal (again->converted_count, 0);
    }
    for (size_t i = 0; half && i < gpt2_tensor_count (&model->config); i++) {
      gpt2_tensor t = gpt2_tensor_at (&model->config, i);
      for (size_t k = 0; k < t.shape[0] * t.shape[1]; k++) {
        float x = model_tensor (model, i)[k], y = model_tensor (again, i)[k];
        /* half a unit in the last of 11 bits, or of the subnormals' 2^-24 */
        assert_true (fabsf (x - y) <= fmaxf (fabsf (x) * 0x1p-11f, 0x1p-25f));
      }
    }
    attn_gpt2_close (&again);
  }
  attn_gpt2_close (&model);
  folder_remove (folder);
}

/* expect_write_error -- writing to FOLDER fails, says TEXT, and leaves what was there. */
static void expect_write_error (const attn_gpt2 *model, const char *folder, const char *text)
{
  attn_error err = {""};
  attn_status status =
      gpt2_model_write (folder, &model->config, &model->weights, -1, ATTN_STORE_F32, &err);
  if (status != ATTN_E_WRITE || strstr (err.text, text) == NULL)
    fail_msg ("status %d, got '%s', expected '%s'", (int)status, err.text, text);
}

static void test_write_errors (void **state)
{
  (void)state;
  char folder[FOLDER_PATH], path[FOLDER_PATH];
  attn_gpt2 *model = model_open (plain);
  expect_write_error (model, "no/such/folder",
                      "cannot write 'no/such/folder/model.safetensors': No such");
  expect_write_error (model, MODELS "plain_f32/config.json", "Not a directory");
  folder_create (folder);
  folder_copy (plain, folder);

  /* A full disk looks the same: the write stops in the middle. */
  struct rlimit limit, tight;
  assert_int_equal (getrlimit (RLIMIT_FSIZE, &limit), 0);
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);
  for (rlim_t room = 0; room < 90000; room += 33000) {
    tight = limit;
    tight.rlim_cur = room;
    assert_int_equal (setrlimit (RLIMIT_FSIZE, &tight), 0);
    expect_write_error (model, folder, "model.safetensors': File too large");
    assert_int_equal (setrlimit (RLIMIT_FSIZE, &limit), 0);
    assert_int_equal (folder_count (folder), 5);
    attn_gpt2 *old = model_open (folder);
    model_assert_same (model, old);
    attn_gpt2_close (&old);
  }
  signal (SIGXFSZ, handler);

  assert_int_equal (chmod (folder, 0555), 0);
  assert_true (as_nobody (1));
  expect_write_error (model, folder, "Permission denied");
  assert_true (as_nobody (0));
  assert_int_equal (chmod (folder, 0755), 0);

  file_path (path, folder, "model.safetensors"); /* a folder in the place of the file */
  assert_int_equal (unlink (path), 0);
  assert_int_equal (mkdir (path, 0700), 0);
  expect_write_error (model, folder, "model.safetensors': ");
  assert_int_equal (rmdir (path), 0);
  assert_int_equal (folder_count (folder), 4);
  folder_remove (folder);
  attn_gpt2_close (&model);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_write),
      cmocka_unit_test (test_write_errors),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
