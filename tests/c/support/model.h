/* Opening models in tests, and comparing their weights. */
#ifndef TEST_SUPPORT_MODEL_H
#define TEST_SUPPORT_MODEL_H

#include "model/model.h"

#define MODELS "tests/fixtures/gpt2_models/"

/* model_open -- the model in FOLDER; fails the test when it cannot be opened. */
attn_gpt2 *model_open (const char *folder);

/* model_expect_error -- opening FOLDER fails with EXPECTED and with TEXT in the message. */
void model_expect_error (const char *folder, attn_status expected, const char *text);

/* model_tensor -- the numbers of tensor I (see model/layout.h). */
const float *model_tensor (const attn_gpt2 *model, size_t i);

/* model_assert_same -- B has the tensors of A, bit for bit. */
void model_assert_same (const attn_gpt2 *a, const attn_gpt2 *b);

/* as_nobody -- file permissions do not bind root: tests of them run as another user between
 * as_nobody (1) and as_nobody (0).  Zero when that cannot be done. */
int as_nobody (int on);

#endif
