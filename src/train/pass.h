/* Forward and backward pass of a whole model over B rows of T tokens. */
#ifndef TRAIN_PASS_H
#define TRAIN_PASS_H

#include "train/parameters.h"

/* What the forward pass of one block keeps for the backward pass; N = B*T rows. */
typedef struct {
  real *x;              /* N-by-C: input of the block */
  real *normal1;        /* N-by-C: after the first layer norm */
  real *qkv;            /* N-by-3C */
  real *heads;          /* N-by-C: output of attention, heads side by side */
  real *middle;         /* N-by-C: residual stream after attention */
  real *normal2;        /* N-by-C */
  real *fc, *activated; /* N-by-F: before and after the activation */
} block_tape;

/* Room for one pass; sizes that fit are reused between passes. */
typedef struct {
  size_t B, T, N;     /* of the room */
  block_tape *blocks; /* L */
  real *x;            /* N-by-C: output of the last block */
  real *normal;       /* N-by-C: after the final layer norm */
  real *logits;       /* logit_rows-by-V */
  size_t logit_rows;
  real *dx, *dnormal; /* N-by-C */
  real *dqkv;         /* N-by-3C */
  real *dfc;          /* N-by-F */
  real *scratch;      /* of the layers' backward functions */
  double *losses;     /* N */
  real *memory;       /* owned: all of the above but `blocks` and `losses` */
} tape;

/* tape_reserve -- makes room for B rows of T tokens; nothing to do when it is there already.
 * Errors: ATTN_E_NOMEM; the tape is empty then. */
attn_status tape_reserve (tape *t, const attn_gpt2_config *config, size_t B, size_t T,
                          attn_error *err);
void tape_free (tape *t);

/* What a pass works on.  Borrowed. */
typedef struct {
  const attn_gpt2_config *config;
  const parameter_map *map;
  real *weights;                /* block of map->elements; not written */
  real *gradient;               /* the same shape, added to; NULL = loss only */
  const int32_t *ids, *targets; /* B*T each, valid */
  size_t B, T;
  double share; /* factor of the gradient */
} pass_args;

/* pass_run -- the loss of attn_trainer_accumulate, and the gradient if wanted.
 * Errors: ATTN_E_NOMEM, ATTN_E_INTERRUPTED; the gradient is unspecified then. */
attn_status pass_run (const pass_args *args, tape *t, double *loss, const attn_run *run,
                      attn_error *err);

#endif
