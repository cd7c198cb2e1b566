/* The tensors of a GPT-2: one list of names and shapes for reading, writing and counting. */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include "model/model.h"

enum { GPT2_NAME_MAX = 64 };

typedef struct {
  char name[GPT2_NAME_MAX]; /* without the prefix `transformer.` */
  size_t dims;              /* 1 or 2 */
  size_t shape[2];          /* rows, columns; or length, 1 */
} gpt2_tensor;

/* gpt2_tensor_count -- number of tensors of a model: 4 + 12*L, and lm_head unless it is tied. */
size_t gpt2_tensor_count (const attn_gpt2_config *config);

/* gpt2_tensor_at -- name and shape of tensor I, 0 to gpt2_tensor_count - 1: wte, wpe, the blocks
 * in order, ln_f, lm_head. */
gpt2_tensor gpt2_tensor_at (const attn_gpt2_config *config, size_t i);

/* gpt2_tensor_slot -- where WEIGHTS holds tensor I. */
const float **gpt2_tensor_slot (gpt2_weights *weights, const attn_gpt2_config *config, size_t i);

/* gpt2_parameters -- numbers in all tensors.  False when their bytes as double overflow size_t. */
bool gpt2_parameters (const attn_gpt2_config *config, size_t *result);

#endif
