#define _POSIX_C_SOURCE 200809L
#include "support/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "model/layout.h"

attn_gpt2 *model_open (const char *folder)
{
  attn_gpt2 *model;
  attn_error err;
  if (attn_gpt2_open (&model, folder, &err) != ATTN_OK)
    fail_msg ("%s: %s", folder, err.text);
  return model;
}

void model_expect_error (const char *folder, attn_status expected, const char *text)
{
  attn_gpt2 *model;
  attn_error err = {""};
  attn_status status = attn_gpt2_open (&model, folder, &err);
  if (status != expected || strstr (err.text, text) == NULL)
    fail_msg ("status %d, expected %d; got '%s', expected '%s'", (int)status, (int)expected,
              err.text, text);
  assert_null (model);
}

const float *model_tensor (const attn_gpt2 *model, size_t i)
{
  gpt2_weights weights = model->weights;
  return *gpt2_tensor_slot (&weights, &model->config, i);
}

void model_assert_same (const attn_gpt2 *a, const attn_gpt2 *b)
{
  for (size_t i = 0; i < gpt2_tensor_count (&a->config); i++) {
    gpt2_tensor t = gpt2_tensor_at (&a->config, i);
    assert_memory_equal (model_tensor (a, i), model_tensor (b, i),
                         t.shape[0] * t.shape[1] * sizeof (float));
  }
}

int as_nobody (int on)
{
  if (getuid () != 0)
    return 1;
  return seteuid (on ? 65534 : 0) == 0;
}
