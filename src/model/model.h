/* A loaded GPT-2, as the forward pass and the training see it.
 *
 * Tensors are float32 and row-major, as the files have them: a vector of n numbers, or n rows of m
 * numbers where row i starts at i*m.  A linear layer stores its weight in-by-out, so that for row
 * vectors y = x*W + b. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stddef.h>
#include "attn/gpt2.h"
#include "model/mapped_file.h"

/* Weights of one block.  C channels, F = width of the feed-forward layer. */
typedef struct {
  const float *ln_1_weight, *ln_1_bias;               /* C */
  const float *attn_c_attn_weight, *attn_c_attn_bias; /* C-by-3C, 3C: queries, keys, values side by
                                                         side, each H heads of C/H columns */
  const float *attn_c_proj_weight, *attn_c_proj_bias; /* C-by-C, C */
  const float *ln_2_weight, *ln_2_bias;               /* C */
  const float *mlp_c_fc_weight, *mlp_c_fc_bias;       /* C-by-F, F */
  const float *mlp_c_proj_weight, *mlp_c_proj_bias;   /* F-by-C, C */
} gpt2_block;

/* All weights; who owns the numbers is said where the struct is used. */
typedef struct {
  gpt2_block *blocks;                   /* L */
  const float *wte;                     /* V-by-C: token embedding */
  const float *wpe;                     /* T_max-by-C: position embedding */
  const float *ln_f_weight, *ln_f_bias; /* C: final layer norm */
  const float *lm_head;                 /* V-by-C: logits = x*lm_head'; equals wte when tied */
} gpt2_weights;

struct attn_gpt2 {
  attn_gpt2_config config;
  gpt2_weights weights;      /* point into `files` or into `converted`; read-only */
  attn_tokenizer *tokenizer; /* at most config.V ids */

  mapped_file *files; /* file_count: the safetensors files, mapped for the life of the model; see
                         model/guard.h on reading them */
  size_t file_count;
  float **converted; /* converted_count: tensors that could not be used in place */
  size_t converted_count, converted_capacity;
  file_stamp *stamps; /* stamp_count: the other files that were read, to notice changes */
  size_t stamp_count, stamp_capacity;
};

#endif
