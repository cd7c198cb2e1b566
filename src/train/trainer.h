#ifndef TRAIN_TRAINER_H
#define TRAIN_TRAINER_H

#include "attn/train.h"
#include "train/pass.h"

struct attn_trainer {
  attn_gpt2_config config;
  parameter_map map;
  real *weights; /* map.elements each, all owned */
  real *gradient;
  real *moment1, *moment2; /* running means of the gradient and of its square */
  size_t steps;            /* updates made */
  tape tape;
};

/* trainer_create -- all zeros.  Errors: ATTN_E_RANGE, ATTN_E_NOMEM. */
attn_status trainer_create (attn_trainer **trainer, const attn_gpt2_config *config,
                            attn_error *err);

#endif
