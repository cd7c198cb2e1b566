#include "model/layout.h"

#include <stdio.h>

#include "base/size.h"

/* Shapes in terms of the configuration. */
typedef enum { DIM_ONE, DIM_C, DIM_3C, DIM_F, DIM_V, DIM_T } layout_dim;

typedef struct {
  const char *name;
  layout_dim rows, columns; /* columns DIM_ONE: a vector */
  size_t offset;            /* in gpt2_block or gpt2_weights */
} layout_entry;

static const layout_entry in_block[] = {
    {"ln_1.weight", DIM_C, DIM_ONE, offsetof (gpt2_block, ln_1_weight)},
    {"ln_1.bias", DIM_C, DIM_ONE, offsetof (gpt2_block, ln_1_bias)},
    {"attn.c_attn.weight", DIM_C, DIM_3C, offsetof (gpt2_block, attn_c_attn_weight)},
    {"attn.c_attn.bias", DIM_3C, DIM_ONE, offsetof (gpt2_block, attn_c_attn_bias)},
    {"attn.c_proj.weight", DIM_C, DIM_C, offsetof (gpt2_block, attn_c_proj_weight)},
    {"attn.c_proj.bias", DIM_C, DIM_ONE, offsetof (gpt2_block, attn_c_proj_bias)},
    {"ln_2.weight", DIM_C, DIM_ONE, offsetof (gpt2_block, ln_2_weight)},
    {"ln_2.bias", DIM_C, DIM_ONE, offsetof (gpt2_block, ln_2_bias)},
    {"mlp.c_fc.weight", DIM_C, DIM_F, offsetof (gpt2_block, mlp_c_fc_weight)},
    {"mlp.c_fc.bias", DIM_F, DIM_ONE, offsetof (gpt2_block, mlp_c_fc_bias)},
    {"mlp.c_proj.weight", DIM_F, DIM_C, offsetof (gpt2_block, mlp_c_proj_weight)},
    {"mlp.c_proj.bias", DIM_C, DIM_ONE, offsetof (gpt2_block, mlp_c_proj_bias)},
};

static const layout_entry before_blocks[] = {
    {"wte.weight", DIM_V, DIM_C, offsetof (gpt2_weights, wte)},
    {"wpe.weight", DIM_T, DIM_C, offsetof (gpt2_weights, wpe)},
};

static const layout_entry after_blocks[] = {
    {"ln_f.weight", DIM_C, DIM_ONE, offsetof (gpt2_weights, ln_f_weight)},
    {"ln_f.bias", DIM_C, DIM_ONE, offsetof (gpt2_weights, ln_f_bias)},
    {"lm_head.weight", DIM_V, DIM_C, offsetof (gpt2_weights, lm_head)},
};

enum {
  BLOCK = sizeof in_block / sizeof in_block[0],
  BEFORE = sizeof before_blocks / sizeof before_blocks[0],
  AFTER = sizeof after_blocks / sizeof after_blocks[0]
};

static size_t dim_of (const attn_gpt2_config *config, layout_dim dim)
{
  switch (dim) {
  case DIM_C:
    return config->C;
  case DIM_3C:
    return 3 * config->C;
  case DIM_F:
    return config->F;
  case DIM_V:
    return config->V;
  case DIM_T:
    return config->T_max;
  case DIM_ONE:
    break;
  }
  return 1;
}

/* entry_of -- entry of tensor I and the block it is in (L when in none). */
static const layout_entry *entry_of (const attn_gpt2_config *config, size_t i, size_t *block)
{
  *block = config->L;
  if (i < BEFORE)
    return &before_blocks[i];
  i -= BEFORE;
  if (i / BLOCK < config->L) {
    *block = i / BLOCK;
    return &in_block[i % BLOCK];
  }
  return &after_blocks[i - BLOCK * config->L];
}

size_t gpt2_tensor_count (const attn_gpt2_config *config)
{
  return BEFORE + BLOCK * config->L + AFTER - (config->tied_head ? 1 : 0);
}

gpt2_tensor gpt2_tensor_at (const attn_gpt2_config *config, size_t i)
{
  gpt2_tensor tensor;
  size_t block;
  const layout_entry *entry = entry_of (config, i, &block);
  if (block < config->L)
    snprintf (tensor.name, sizeof tensor.name, "h.%zu.%s", block, entry->name);
  else
    snprintf (tensor.name, sizeof tensor.name, "%s", entry->name);
  tensor.dims = entry->columns == DIM_ONE ? 1 : 2;
  tensor.shape[0] = dim_of (config, entry->rows);
  tensor.shape[1] = dim_of (config, entry->columns);
  return tensor;
}

const float **gpt2_tensor_slot (gpt2_weights *weights, const attn_gpt2_config *config, size_t i)
{
  size_t block;
  const layout_entry *entry = entry_of (config, i, &block);
  char *base = block < config->L ? (char *)&weights->blocks[block] : (char *)weights;
  return (const float **)(void *)(base + entry->offset);
}

/* add_entries -- adds REPEAT times the elements of COUNT entries; false when it overflows. */
static bool add_entries (const attn_gpt2_config *config, const layout_entry *entries, size_t count,
                         size_t repeat, size_t *sum)
{
  for (size_t i = 0; i < count; i++) {
    size_t elements;
    if (!size_mul (dim_of (config, entries[i].rows), dim_of (config, entries[i].columns),
                   &elements) ||
        !size_mul (elements, repeat, &elements) || !size_add (*sum, elements, sum))
      return false;
  }
  return true;
}

bool gpt2_parameters (const attn_gpt2_config *config, size_t *result)
{
  size_t triple, bytes;
  size_t after = AFTER - (config->tied_head ? 1 : 0);
  *result = 0;
  return size_mul (config->C, 3, &triple) &&
         add_entries (config, before_blocks, BEFORE, 1, result) &&
         add_entries (config, in_block, BLOCK, config->L, result) &&
         add_entries (config, after_blocks, after, 1, result) &&
         size_mul (*result, sizeof (double), &bytes);
}
