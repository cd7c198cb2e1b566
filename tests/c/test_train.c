/* Training in single precision: it learns, it repeats itself bit for bit, it survives the disk. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "attn/train.h"
#include "train/parameters.h"

enum { B = 8, T = 16, V = 12, STEPS = 300 };

static const attn_gpt2_config config = {.L = 2,
                                        .H = 2,
                                        .C = 32,
                                        .F = 128,
                                        .V = V,
                                        .T_max = T,
                                        .norm_epsilon = 1e-5f,
                                        .activation = ATTN_GELU_TANH,
                                        .scale_by_head_size = 1,
                                        .tied_head = 1};
static const attn_adamw adamw = {
    .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-8, .weight_decay = 0.1, .clip = 1};

/* A row is a random half that is then repeated: from its second half on it can be predicted. */
static void draw_rows (attn_random *random, int32_t *ids, int32_t *targets)
{
  for (size_t b = 0; b < B; b++) {
    int32_t row[T + 1];
    for (size_t t = 0; t <= T; t++)
      row[t] = t < T / 2 ? (int32_t)(attn_random_uniform (random) * V) : row[t - T / 2];
    for (size_t t = 0; t < T; t++) {
      ids[b * T + t] = row[t];
      targets[b * T + t] = t + 1 < T / 2 ? -1 : row[t + 1];
    }
  }
}

/* train -- STEPS from `begin` on; returns the last loss and writes all of them. */
static void train (attn_trainer *trainer, attn_random *random, size_t begin, size_t end,
                   double *losses, int threads)
{
  attn_run run = {.threads = threads};
  int32_t ids[B * T], targets[B * T];
  for (size_t step = begin; step < end; step++) {
    double norm;
    draw_rows (random, ids, targets);
    assert_int_equal (
        attn_trainer_accumulate (trainer, ids, targets, B, T, 1, &losses[step], &run, NULL),
        ATTN_OK);
    double rate = attn_learning_rate (step, STEPS, 10, 5e-3, 0.1);
    assert_int_equal (attn_trainer_update (trainer, &adamw, rate, &norm, &run, NULL), ATTN_OK);
  }
}

static void test_learns_to_copy (void **state)
{
  (void)state;
  attn_trainer *trainer;
  attn_random random;
  double losses[STEPS];
  attn_random_seed (&random, 1);
  assert_int_equal (attn_trainer_create (&trainer, &config, &(attn_fresh){.seed = 1}, NULL),
                    ATTN_OK);
  train (trainer, &random, 0, STEPS, losses, 1);
  /* A fresh model knows nothing: log (12) = 2.48 nats.  Copying is far below guessing. */
  assert_true (fabs (losses[0] - log (V)) < 0.05);
  assert_true (losses[STEPS - 1] < 0.2);
  attn_trainer_free (&trainer);
}

static void test_same_bits_whatever_the_threads (void **state)
{
  (void)state;
  double losses[3][STEPS];
  for (int run = 0; run < 3; run++) {
    attn_trainer *trainer;
    attn_random random;
    attn_random_seed (&random, 5);
    assert_int_equal (attn_trainer_create (&trainer, &config, &(attn_fresh){.seed = 9}, NULL),
                      ATTN_OK);
    train (trainer, &random, 0, 10, losses[run], run == 2 ? 2 : 1);
    attn_trainer_free (&trainer);
  }
  assert_memory_equal (losses[0], losses[1], 10 * sizeof (double));
  assert_memory_equal (losses[0], losses[2], 10 * sizeof (double));
}

static char *temporary_folder (char *name)
{
  strcpy (name, "/tmp/attn_train_XXXXXX");
  assert_non_null (mkdtemp (name));
  return name;
}

static void test_resume_ends_at_the_same_weights (void **state)
{
  (void)state;
  char folder[64], file[128];
  snprintf (file, sizeof file, "%s/checkpoint", temporary_folder (folder));
  double straight[20], resumed[20];
  attn_trainer *trainer;
  attn_random random;
  attn_random_seed (&random, 5);
  assert_int_equal (attn_trainer_create (&trainer, &config, &(attn_fresh){.seed = 9}, NULL),
                    ATTN_OK);
  train (trainer, &random, 0, 10, straight, 1);
  assert_int_equal (attn_trainer_checkpoint (trainer, &random, "note", 5, file, NULL), ATTN_OK);
  train (trainer, &random, 10, 20, straight, 1);
  attn_trainer_free (&trainer);

  void *note;
  size_t note_bytes;
  attn_random_seed (&random, 0);
  assert_int_equal (attn_trainer_resume (&trainer, &random, &note, &note_bytes, file, NULL),
                    ATTN_OK);
  assert_int_equal (note_bytes, 5);
  assert_string_equal (note, "note");
  attn_note_free (&note);
  assert_int_equal (attn_trainer_steps (trainer), 10);
  train (trainer, &random, 10, 20, resumed, 1);
  assert_memory_equal (straight + 10, resumed + 10, 10 * sizeof (double));
  attn_trainer_free (&trainer);
  unlink (file);
  rmdir (folder);
}

/* Cut at every hundredth byte, and damaged at some: refused each time, nothing left behind. */
static void test_damaged_checkpoints (void **state)
{
  (void)state;
  char folder[64], file[128];
  snprintf (file, sizeof file, "%s/checkpoint", temporary_folder (folder));
  attn_gpt2_config small = config;
  small.C = small.F = 8;
  attn_trainer *trainer;
  attn_random random;
  attn_random_seed (&random, 5);
  assert_int_equal (attn_trainer_create (&trainer, &small, &(attn_fresh){.seed = 9}, NULL),
                    ATTN_OK);
  assert_int_equal (attn_trainer_checkpoint (trainer, &random, NULL, 0, file, NULL), ATTN_OK);
  FILE *in = fopen (file, "rb");
  static unsigned char bytes[1 << 16];
  size_t n = fread (bytes, 1, sizeof bytes, in);
  fclose (in);
  assert_true (n >= 1000 && n < sizeof bytes);
  for (size_t at = 0; at < 2 * n; at += 100) {
    bool cut = at < n;
    size_t length = cut ? at : n, damaged = cut ? 0 : at - n;
    bytes[damaged] ^= cut ? 0 : 0x10;
    FILE *out = fopen (file, "wb");
    assert_int_equal (fwrite (bytes, 1, length, out), length);
    fclose (out);
    bytes[damaged] ^= cut ? 0 : 0x10;
    void *note;
    size_t note_bytes;
    attn_error err = {""};
    attn_trainer *resumed;
    attn_status status = attn_trainer_resume (&resumed, &random, &note, &note_bytes, file, &err);
    assert_int_equal (status, ATTN_E_MODEL_CORRUPT);
    assert_non_null (strstr (err.text, file));
    assert_null (resumed);
  }
  unlink (file);
  rmdir (folder);
  assert_int_equal (attn_trainer_checkpoint (trainer, &random, NULL, 0, file, NULL), ATTN_E_WRITE);
  attn_trainer_free (&trainer);
}

static void test_bad_batches (void **state)
{
  (void)state;
  attn_trainer *trainer;
  double loss;
  attn_error err;
  int32_t ids[2 * T] = {0}, targets[2 * T] = {0};
  assert_int_equal (attn_trainer_create (&trainer, &config, &(attn_fresh){.seed = 1}, NULL),
                    ATTN_OK);
  ids[3] = V;
  assert_int_equal (attn_trainer_evaluate (trainer, ids, targets, 1, T, &loss, NULL, &err),
                    ATTN_E_RANGE);
  assert_non_null (strstr (err.text, "token 4"));
  ids[3] = 0;
  targets[0] = -2;
  assert_int_equal (attn_trainer_evaluate (trainer, ids, targets, 1, T, &loss, NULL, &err),
                    ATTN_E_RANGE);
  targets[0] = -1;
  assert_int_equal (attn_trainer_evaluate (trainer, ids, targets, 1, 2 * T, &loss, NULL, &err),
                    ATTN_E_TOO_LONG);
  assert_int_equal (attn_trainer_evaluate (trainer, ids, targets, 0, T, &loss, NULL, &err),
                    ATTN_E_EMPTY_TEXT);
  for (int t = 0; t < T; t++)
    targets[t] = -1;
  assert_int_equal (attn_trainer_evaluate (trainer, ids, targets, 1, T, &loss, NULL, &err),
                    ATTN_OK);
  assert_true (loss == 0);
  attn_trainer_free (&trainer);
}

static void test_bad_geometry (void **state)
{
  (void)state;
  attn_trainer *trainer;
  attn_error err;
  attn_gpt2_config bad = config;
  bad.H = 3;
  assert_int_equal (attn_trainer_create (&trainer, &bad, &(attn_fresh){.seed = 1}, &err),
                    ATTN_E_RANGE);
  assert_non_null (strstr (err.text, "3 heads"));
  bad = config;
  bad.L = 0;
  assert_int_equal (attn_trainer_create (&trainer, &bad, &(attn_fresh){.seed = 1}, &err),
                    ATTN_E_RANGE);
  bad = config;
  bad.tied_head = 0;
  assert_int_equal (attn_trainer_create (&trainer, &bad, &(attn_fresh){.seed = 1}, &err),
                    ATTN_E_RANGE);
  bad = config;
  bad.C = bad.F = (size_t)1 << 40;
  assert_int_equal (attn_trainer_create (&trainer, &bad, &(attn_fresh){.seed = 1}, &err),
                    ATTN_E_RANGE);
  bad.C = bad.F = (size_t)1 << 28;
  assert_int_equal (attn_trainer_create (&trainer, &bad, &(attn_fresh){.seed = 1}, &err),
                    ATTN_E_NOMEM);
  assert_null (trainer);
}

/* Positions that start as sinusoids; what does not belong to them stays. */
static void test_position_amplitude (void **state)
{
  (void)state;
  parameter_map map;
  assert_int_equal (parameter_map_create (&map, &config, NULL), ATTN_OK);
  real *block = calloc (map.elements, sizeof *block);
  assert_non_null (block);
  parameter_fill_sinusoids (&map, block, config.C, 0.04);
  const tensor *positions = &map.list[parameter_outer (&map, WPE)];
  const real *third = block + positions->offset + 3 * config.C;
  const double slower = 3 / pow (10000, 2.0 / (double)config.C);
  assert_true (fabs ((double)third[0] - 0.04 * sin (3)) < 1e-8);
  assert_true (fabs ((double)third[1] - 0.04 * cos (3)) < 1e-8);
  assert_true (fabs ((double)third[2] - 0.04 * sin (slower)) < 1e-8);
  assert_true (fabs ((double)third[3] - 0.04 * cos (slower)) < 1e-8);
  for (size_t j = 0; j < map.elements; j++)
    if (j < positions->offset || j >= positions->offset + positions->size)
      assert_true (block[j] == 0);
  free (block);
  parameter_map_free (&map);

  /* The same seed with and without: other first losses, so the positions reach the model. */
  double losses[2];
  for (int with = 0; with < 2; with++) {
    attn_trainer *trainer;
    attn_random random;
    const attn_fresh fresh = {.seed = 1, .position_amplitude = 0.04 * with};
    attn_random_seed (&random, 1);
    assert_int_equal (attn_trainer_create (&trainer, &config, &fresh, NULL), ATTN_OK);
    train (trainer, &random, 0, 1, &losses[with], 1);
    attn_trainer_free (&trainer);
  }
  assert_true (losses[0] != losses[1]);
}

static void test_learning_rate (void **state)
{
  (void)state;
  assert_true (attn_learning_rate (0, 100, 10, 2, 0.1) == 0.2);
  assert_true (attn_learning_rate (9, 100, 10, 2, 0.1) == 2);
  assert_true (attn_learning_rate (10, 100, 10, 2, 0.1) == 2);
  assert_true (fabs (attn_learning_rate (99, 100, 10, 2, 0.1) - 0.2) < 1e-15);
  assert_true (fabs (attn_learning_rate (500, 100, 10, 2, 0.1) - 0.2) < 1e-15);
  /* Half way through the cosine: the mean of peak and floor. */
  assert_true (fabs (attn_learning_rate (50, 91, 10, 2, 0.1) - 1.1) < 1e-15);
}

static void test_batch_draw (void **state)
{
  (void)state;
  int32_t tokens[50], ids[3 * 4], targets[3 * 4];
  size_t starts[] = {0, 20}, late[] = {46};
  attn_random random;
  attn_random_seed (&random, 2);
  for (int n = 0; n < 50; n++)
    tokens[n] = n;
  for (int repeat = 0; repeat < 100; repeat++) {
    assert_int_equal (attn_batch_draw (&random, tokens, 50, starts, 2, 1, 3, 4, ids, targets, NULL),
                      ATTN_OK);
    for (int n = 0; n < 12; n++) {
      assert_true (ids[n / 4 * 4] == 0 || ids[n / 4 * 4] == 20);
      assert_int_equal (ids[n], ids[n / 4 * 4] + n % 4);
      assert_int_equal (targets[n], ids[n] + 1);
    }
    assert_int_equal (attn_batch_draw (&random, tokens, 50, NULL, 0, 0, 3, 4, ids, targets, NULL),
                      ATTN_OK);
    assert_true (ids[0] >= 0 && ids[0] <= 45);
  }
  assert_int_equal (attn_batch_draw (&random, tokens, 50, late, 1, 1, 3, 4, ids, targets, NULL),
                    ATTN_OK);
  assert_int_equal (targets[11], 49);
  assert_int_equal (attn_batch_draw (&random, tokens, 4, NULL, 0, 0, 3, 4, ids, targets, NULL),
                    ATTN_E_RANGE);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_learns_to_copy),
      cmocka_unit_test (test_same_bits_whatever_the_threads),
      cmocka_unit_test (test_resume_ends_at_the_same_weights),
      cmocka_unit_test (test_damaged_checkpoints),
      cmocka_unit_test (test_bad_batches),
      cmocka_unit_test (test_bad_geometry),
      cmocka_unit_test (test_position_amplitude),
      cmocka_unit_test (test_learning_rate),
      cmocka_unit_test (test_batch_draw),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
