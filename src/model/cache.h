/* Keys and values of the tokens that a model has seen. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include "attn/gpt2.h"

struct attn_gpt2_cache {
  size_t L, C; /* of the model it was made for */
  size_t T_capacity;
  size_t tokens;        /* rows in use; a pass writes behind them and counts them at its end */
  float *keys, *values; /* L-by-T_capacity-by-C, row-major */
};

#endif
