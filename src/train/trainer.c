#include "train/trainer.h"

#include <string.h>

#include "base/alloc.h"
#include "model/guard.h"
#include "model/layout.h"

static attn_status check_config (const attn_gpt2_config *config, attn_error *err)
{
  if (config->L < 1 || config->H < 1 || config->C < 1 || config->F < 1 || config->V < 1 ||
      config->T_max < 1)
    return attn_fail (err, ATTN_E_RANGE,
                      "config: layers, heads, width, feed-forward width, vocabulary and positions "
                      "must be at least 1; got %zu, %zu, %zu, %zu, %zu, %zu",
                      config->L, config->H, config->C, config->F, config->V, config->T_max);
  if (config->C % config->H != 0)
    return attn_fail (err, ATTN_E_RANGE, "config: %zu heads must divide the width %zu", config->H,
                      config->C);
  if (config->V > INT32_MAX)
    return attn_fail (err, ATTN_E_RANGE, "config: a vocabulary of %zu is above %d", config->V,
                      INT32_MAX);
  if (!config->tied_head)
    return attn_fail (err, ATTN_E_RANGE,
                      "config: training needs the output projection tied to the token embedding");
  return ATTN_OK;
}

attn_status trainer_create (attn_trainer **trainer, const attn_gpt2_config *config, attn_error *err)
{
  *trainer = NULL;
  attn_status status = check_config (config, err);
  if (status != ATTN_OK)
    return status;
  attn_trainer *t = attn_alloc_zero (1, sizeof *t);
  if (t == NULL)
    return attn_no_memory (err, "the trainer", 1, sizeof *t);
  t->config = *config;
  status = parameter_map_create (&t->map, config, err);
  if (status != ATTN_OK)
    goto done;
  real **blocks[] = {&t->weights, &t->gradient, &t->moment1, &t->moment2};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    *blocks[i] = attn_alloc_zero (t->map.elements, sizeof (real));
    if (*blocks[i] == NULL) {
      status =
          attn_no_memory (err, "the weights, gradient and moments", t->map.elements, sizeof (real));
      goto done;
    }
  }
  *trainer = t;
  t = NULL;
done:
  attn_trainer_free (&t);
  return status;
}

void attn_trainer_free (attn_trainer **trainer)
{
  attn_trainer *t = *trainer;
  if (t == NULL)
    return;
  parameter_map_free (&t->map);
  attn_free (t->weights);
  attn_free (t->gradient);
  attn_free (t->moment1);
  attn_free (t->moment2);
  tape_free (&t->tape);
  attn_free (t);
  *trainer = NULL;
}

attn_status attn_trainer_create (attn_trainer **trainer, const attn_gpt2_config *config,
                                 const attn_fresh *fresh, attn_error *err)
{
  attn_status status = trainer_create (trainer, config, err);
  if (status == ATTN_OK) {
    attn_random random;
    attn_random_seed (&random, fresh->seed);
    parameter_fill_fresh (&(*trainer)->map, (*trainer)->weights, config->L, &random);
    if (fresh->position_amplitude != 0)
      parameter_fill_sinusoids (&(*trainer)->map, (*trainer)->weights, config->C,
                                fresh->position_amplitude);
  }
  return status;
}

attn_status attn_trainer_from_model (attn_trainer **trainer, const attn_gpt2 *model,
                                     attn_error *err)
{
  attn_status status = trainer_create (trainer, &model->config, err);
  if (status != ATTN_OK)
    return status;
  gpt2_weights weights = model->weights; /* the slots are reached through a writable struct */
  const parameter_map *map = &(*trainer)->map;
  model_guard_enter (model);
  for (size_t i = 0; i < map->count; i++) {
    const float *source = *gpt2_tensor_slot (&weights, &model->config, i);
    real *x = (*trainer)->weights + map->list[i].offset;
    for (size_t j = 0; j < map->list[i].size; j++)
      x[j] = (real)source[j];
  }
  status = model_guard_check (model, err);
  model_guard_leave (model);
  if (status != ATTN_OK)
    attn_trainer_free (trainer);
  return status;
}

const attn_gpt2_config *attn_trainer_config_get (const attn_trainer *trainer)
{
  return &trainer->config;
}

size_t attn_trainer_parameters (const attn_trainer *trainer)
{
  return trainer->map.elements;
}

size_t attn_trainer_steps (const attn_trainer *trainer)
{
  return trainer->steps;
}

static attn_status check_batch (const attn_trainer *t, const int32_t *ids, const int32_t *targets,
                                size_t B, size_t T, attn_error *err)
{
  if (B == 0 || T == 0)
    return attn_fail (err, ATTN_E_EMPTY_TEXT, "a batch of %zu rows of %zu tokens is empty", B, T);
  if (T > t->config.T_max)
    return attn_fail (err, ATTN_E_TOO_LONG, "rows of %zu tokens; the model has %zu positions", T,
                      t->config.T_max);
  if (B > SIZE_MAX / T)
    return attn_fail (err, ATTN_E_NOMEM, "%zu rows of %zu tokens do not fit into memory", B, T);
  int32_t V = (int32_t)t->config.V;
  for (size_t n = 0; n < B * T; n++)
    if (ids[n] < 0 || ids[n] >= V || targets[n] < -1 || targets[n] >= V)
      return attn_fail (err, ATTN_E_RANGE,
                        "token %zu: id %d and target %d must be below the vocabulary's %d", n + 1,
                        ids[n], targets[n], V);
  return ATTN_OK;
}

attn_status attn_trainer_accumulate (attn_trainer *trainer, const int32_t *ids,
                                     const int32_t *targets, size_t B, size_t T, double share,
                                     double *loss, const attn_run *run, attn_error *err)
{
  attn_status status = check_batch (trainer, ids, targets, B, T, err);
  if (status == ATTN_OK) {
    pass_args args = {&trainer->config,
                      &trainer->map,
                      trainer->weights,
                      trainer->gradient,
                      ids,
                      targets,
                      B,
                      T,
                      share};
    status = pass_run (&args, &trainer->tape, loss, run, err);
  }
  if (status != ATTN_OK)
    memset (trainer->gradient, 0, trainer->map.elements * sizeof (real));
  return status;
}

attn_status attn_trainer_evaluate (attn_trainer *trainer, const int32_t *ids,
                                   const int32_t *targets, size_t B, size_t T, double *loss,
                                   const attn_run *run, attn_error *err)
{
  attn_status status = check_batch (trainer, ids, targets, B, T, err);
  if (status != ATTN_OK)
    return status;
  pass_args args = {.config = &trainer->config,
                    .map = &trainer->map,
                    .weights = trainer->weights,
                    .ids = ids,
                    .targets = targets,
                    .B = B,
                    .T = T};
  return pass_run (&args, &trainer->tape, loss, run, err);
}
