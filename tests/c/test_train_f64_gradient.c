/* Gradients of the whole training pass against central differences, in double precision (this
 * program is linked with src/train compiled for double). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attn/train.h"
#include "train/trainer.h"

enum { B = 2, T = 5, V = 11 };

static const attn_gpt2_config base_config = {.L = 2,
                                             .H = 2,
                                             .C = 8,
                                             .F = 12,
                                             .V = V,
                                             .T_max = 6,
                                             .norm_epsilon = 1e-5f,
                                             .activation = ATTN_GELU_TANH,
                                             .scale_by_head_size = 1,
                                             .tied_head = 1};

typedef struct {
  attn_trainer *trainer;
  int32_t ids[B * T], targets[B * T];
} setup;

/* start -- a trainer whose weights are all of order one, so that no gradient is tiny. */
static setup start (const attn_gpt2_config *config)
{
  setup s;
  attn_random random;
  assert_int_equal (attn_trainer_create (&s.trainer, config, &(attn_fresh){.seed = 7}, NULL),
                    ATTN_OK);
  attn_random_seed (&random, 3);
  for (size_t i = 0; i < s.trainer->map.elements; i++)
    s.trainer->weights[i] += 0.6 * (attn_random_uniform (&random) - 0.5);
  for (size_t n = 0; n < B * T; n++) {
    s.ids[n] = (int32_t)(attn_random_uniform (&random) * V);
    s.targets[n] = (int32_t)(attn_random_uniform (&random) * V);
  }
  s.targets[3] = -1;
  return s;
}

static double loss_of (setup *s)
{
  double loss;
  assert_int_equal (attn_trainer_evaluate (s->trainer, s->ids, s->targets, B, T, &loss, NULL, NULL),
                    ATTN_OK);
  return loss;
}

/* check_gradient -- every element of every tensor.  The central difference errs by about
 * h^2 * third derivative + eps * loss / h, which for h = 1e-5 is some 1e-10 here. */
static void check_gradient (const attn_gpt2_config *config)
{
  const double h = 1e-5, share = 0.75;
  setup s = start (config);
  double loss, largest = 0;
  assert_int_equal (
      attn_trainer_accumulate (s.trainer, s.ids, s.targets, B, T, share, &loss, NULL, NULL),
      ATTN_OK);
  assert_true (loss == loss_of (&s));
  for (size_t i = 0; i < s.trainer->map.elements; i++) {
    double *w = &s.trainer->weights[i], kept = *w;
    *w = kept + h;
    double above = loss_of (&s);
    *w = kept - h;
    double below = loss_of (&s);
    *w = kept;
    double expected = share * (above - below) / (2 * h);
    double error = fabs (s.trainer->gradient[i] - expected);
    largest = error > largest ? error : largest;
  }
  assert_true (largest < 1e-8);
  attn_trainer_free (&s.trainer);
}

static void test_gelu_tanh (void **state)
{
  (void)state;
  check_gradient (&base_config);
}

static void test_gelu_erf_scaled_by_layer (void **state)
{
  (void)state;
  attn_gpt2_config config = base_config;
  config.activation = ATTN_GELU_ERF;
  config.scale_by_layer = 1;
  check_gradient (&config);
}

static void test_relu_one_head_unscaled (void **state)
{
  (void)state;
  attn_gpt2_config config = base_config;
  config.activation = ATTN_RELU;
  config.H = 1;
  config.scale_by_head_size = 0;
  check_gradient (&config);
}

static void test_gradients_add_up (void **state)
{
  (void)state;
  setup s = start (&base_config);
  size_t n = s.trainer->map.elements;
  double loss, *once = malloc (n * sizeof *once);
  for (int call = 0; call < 2; call++) {
    assert_int_equal (
        attn_trainer_accumulate (s.trainer, s.ids, s.targets, B, T, 0.5, &loss, NULL, NULL),
        ATTN_OK);
    if (call == 0)
      memcpy (once, s.trainer->gradient, n * sizeof *once);
  }
  for (size_t i = 0; i < n; i++)
    assert_true (fabs (s.trainer->gradient[i] - 2 * once[i]) <= 1e-14);
  free (once);
  attn_trainer_free (&s.trainer);
}

/* The update of one weight worked out from the formulas of AdamW, with and without decay. */
static void test_adamw_by_hand (void **state)
{
  (void)state;
  setup s = start (&base_config);
  attn_trainer *t = s.trainer;
  attn_adamw options = {.beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-8, .weight_decay = 0.1};
  size_t matrix = t->map.list[parameter_inner (QKV_W, 1)].offset,
         vector = t->map.list[parameter_inner (NORM1_W, 0)].offset;
  double w_matrix = t->weights[matrix], w_vector = t->weights[vector];
  double gradients[2] = {0.5, -0.25}, m = 0, v = 0, norm;
  for (int step = 1; step <= 2; step++) {
    double g = gradients[step - 1];
    memset (t->gradient, 0, t->map.elements * sizeof *t->gradient);
    t->gradient[matrix] = t->gradient[vector] = g;
    assert_int_equal (attn_trainer_update (t, &options, 0.01, &norm, NULL, NULL), ATTN_OK);
    assert_true (fabs (norm - fabs (g) * sqrt (2)) < 1e-15);
    m = 0.9 * m + 0.1 * g;
    v = 0.98 * v + 0.02 * g * g;
    double move = m / (1 - pow (0.9, step)) / (sqrt (v / (1 - pow (0.98, step))) + 1e-8);
    w_matrix -= 0.01 * (move + 0.1 * w_matrix);
    w_vector -= 0.01 * move;
    assert_true (fabs (t->weights[matrix] - w_matrix) < 1e-14);
    assert_true (fabs (t->weights[vector] - w_vector) < 1e-14);
    assert_true (t->gradient[matrix] == 0);
  }
  assert_int_equal (attn_trainer_steps (t), 2);
  attn_trainer_free (&s.trainer);
}

static void test_clip_and_divergence (void **state)
{
  (void)state;
  setup s = start (&base_config);
  attn_trainer *t = s.trainer;
  attn_adamw options = {.beta1 = 0, .beta2 = 0, .epsilon = 1, .clip = 1};
  double norm, before = t->weights[0];
  t->gradient[0] = 3;
  t->gradient[1] = 4;
  assert_int_equal (attn_trainer_update (t, &options, 1, &norm, NULL, NULL), ATTN_OK);
  assert_true (norm == 5);
  /* Clipped to (0.6, 0.8); with both betas 0 the move is g/(|g| + 1). */
  assert_true (fabs (before - t->weights[0] - 0.6 / 1.6) < 1e-15);
  before = t->weights[0];
  t->gradient[5] = NAN;
  attn_error err;
  assert_int_equal (attn_trainer_update (t, &options, 1, &norm, NULL, &err), ATTN_E_DIVERGED);
  assert_non_null (strstr (err.text, "step 2"));
  assert_true (t->weights[0] == before && t->gradient[5] == 0);
  attn_trainer_free (&s.trainer);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_gelu_tanh),
      cmocka_unit_test (test_gelu_erf_scaled_by_layer),
      cmocka_unit_test (test_relu_one_head_unscaled),
      cmocka_unit_test (test_gradients_add_up),
      cmocka_unit_test (test_adamw_by_hand),
      cmocka_unit_test (test_clip_and_divergence),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
