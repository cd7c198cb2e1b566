/* All trained values of a model in one block, tensor after tensor in the
 * order of model/layout.h. */
#ifndef TRAIN_PARAMETERS_H
#define TRAIN_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/gpt2.h"
#include "train/real.h"

/* The tensors outside and inside the blocks.  A bias follows its weight. */
typedef enum { WTE, WPE, NORMF_W, NORMF_B } outer_tensor;
typedef enum {
  NORM1_W,
  NORM1_B,
  QKV_W,
  QKV_B,
  PROJ_W,
  PROJ_B,
  NORM2_W,
  NORM2_B,
  FC_W,
  FC_B,
  FCPROJ_W,
  FCPROJ_B
} block_tensor;

typedef struct {
  size_t offset, size; /* elements within the block */
  bool matrix;
} tensor;

typedef struct {
  size_t count;    /* of tensors */
  size_t elements; /* of the block */
  tensor *list;    /* owned */
} parameter_map;

/* parameter_map_create -- layout for CONFIG; free with parameter_map_free.
 * Errors: ATTN_E_RANGE (sizes overflow), ATTN_E_NOMEM. */
attn_status parameter_map_create (parameter_map *map, const attn_gpt2_config *config,
                                  attn_error *err);
void parameter_map_free (parameter_map *map);

/* parameter_outer, parameter_inner -- index in map->list. */
size_t parameter_outer (const parameter_map *map, outer_tensor which);
size_t parameter_inner (block_tensor which, size_t layer);

/* parameter_fill_fresh -- GPT-2's initial values; see attn_trainer_create. */
void parameter_fill_fresh (const parameter_map *map, real *block, size_t L, attn_random *random);

/* parameter_fill_sinusoids -- position t, channel c: AMPLITUDE times the sine (c even) or cosine
 * (c odd) of t/10000^(2*floor (c/2)/C) (Vaswani et al. 2017, section 3.5). */
void parameter_fill_sinusoids (const parameter_map *map, real *block, size_t C, double amplitude);

#endif
