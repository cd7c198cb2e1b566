/* Attention of one block: which heads run, with whose weights, and what is captured. */
#ifndef MODEL_HEADS_H
#define MODEL_HEADS_H

#include <stdbool.h>

#include "attn/gpt2.h"

/* Rows are tokens; all heads lie side by side in the columns, C/H columns each. */
typedef struct {
  const attn_gpt2_config *config;
  size_t layer, T, T_all;
  const float *q, *k, *v;      /* T-by-C, T_all-by-C, T_all-by-C */
  size_t q_row, kv_row;        /* distances between their rows */
  float *y;                    /* T-by-C without gaps; NULL = only the weights are wanted */
  float *const *capture;       /* H pointers, each NULL or T-by-T_all column-major; NULL = none */
  const float *const *replace; /* H pointers, each NULL or T-by-T_all column-major; NULL = none */
  const unsigned char *ablate; /* H flags; NULL = none */
} heads_job;

/* heads_forward -- fills y and what is to be captured.  The weights captured from a replaced head
 * are the replacement; an ablated head still shows the weights it would have used.
 * Errors: those of attn_attention_forward. */
attn_status heads_forward (const heads_job *job, const attn_run *run, attn_error *err);

#endif
