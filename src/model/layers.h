/* The layers of a transformer block besides the products, for T tokens in the rows of row-major
 * matrices. */
#ifndef MODEL_LAYERS_H
#define MODEL_LAYERS_H

#include <stdint.h>

#include "attn/gpt2.h"
#include "kernel/dense.h"
#include "model/model.h"

/* forward_embed -- x (T-by-C): row t = wte (ids[t]) + wpe (first + t). */
void forward_embed (const attn_gpt2 *model, const int32_t *ids, size_t T, size_t first, float *x);

/* forward_norm -- y (T-by-C) = each row of x normalised, times weight, plus bias; y may be x.
 * Errors: ATTN_E_INTERRUPTED. */
attn_status forward_norm (const float *x, const float *weight, const float *bias, float epsilon,
                          float *y, size_t T, size_t C, const kern_dense *kernels,
                          const attn_run *run, attn_error *err);

/* forward_activation -- the function that applies ACTIVATION to n numbers in place. */
typedef void forward_activate (void *x, size_t n);
forward_activate *forward_activation (attn_activation activation, const kern_dense *kernels);

/* forward_weighted_sum -- y (T-by-d, rows y_row apart) = w*v with weights w T-by-T_all column-major
 * and v T_all-by-d, rows v_row apart.  A weight of 0 hides its row of v. */
void forward_weighted_sum (const float *w, const float *v, size_t v_row, float *y, size_t y_row,
                           size_t T, size_t T_all, size_t d);

#endif
