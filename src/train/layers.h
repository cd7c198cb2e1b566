/* Forward and backward of the layers around attention, over N token vectors that lie row after row.
 *
 * Backward functions take the gradient of the loss by the layer's output (dout, dy).  Gradients of
 * parameters are added to; sums over tokens run in a fixed order that does not depend on the number
 * of threads.  None of them fails: scratch comes from the caller. */
#ifndef TRAIN_LAYERS_H
#define TRAIN_LAYERS_H

#include <stddef.h>
#include <stdint.h>

#include "attn/gpt2.h"
#include "kernel/dense.h"
#include "kernel/train.h"
#include "train/real.h"

/* How layers compute: kernels of the chosen instruction set, and the workers, which run to the end:
 * a layer is too short to be interrupted. */
typedef struct {
  const kern_dense *dense;
  const kern_train *train;
  attn_run workers;
} layer_run;
layer_run layer_run_of (const attn_run *run);

/* Token rows are cut into at most this many chunks, each with its own partial sum. */
enum { LAYER_CHUNKS = 16 };

/* layer_scratch_size -- elements of scratch that a backward function needs for rows of WIDTH. */
size_t layer_scratch_size (size_t width);

/* layer_embed -- x(n,:) = wte(ids[n],:) + wpe(n mod T,:).  x N-by-C. */
void layer_embed (real *x, const int32_t *ids, const real *wte, const real *wpe, size_t N, size_t T,
                  size_t C);
void layer_embed_backward (real *dwte, real *dwpe, const int32_t *ids, const real *dx, size_t N,
                           size_t T, size_t C, const layer_run *run);

/* layer_add -- x += y for n numbers: a residual connection. */
void layer_add (real *x, const real *y, size_t n, const layer_run *run);

/* layer_norm -- out = (x - mean (x))/sqrt (variance (x) + epsilon) .* weight + bias for each of N
 * rows of C (Ba et al. 2016). */
typedef struct {
  const real *weight, *bias; /* C */
  size_t N, C;
  double epsilon;
} layer_norm_args;
void layer_norm (const layer_norm_args *norm, real *out, const real *x, const layer_run *run);

/* layer_norm_backward -- dx += gradient by x; dweight, dbias (C) += theirs.
 * scratch: layer_scratch_size (2*C). */
void layer_norm_backward (const layer_norm_args *norm, real *dx, real *dweight, real *dbias,
                          const real *dout, const real *x, real *scratch, const layer_run *run);

/* layer_linear -- y = x*weight + bias.  x N-by-in, weight in-by-out, bias out, y N-by-out. */
typedef struct {
  const real *weight, *bias;
  size_t N, in, out;
} layer_linear_args;
void layer_linear (const layer_linear_args *linear, real *y, const real *x);

/* layer_linear_backward -- dx = dy*weight' (overwritten), dweight += x'*dy, dbias += sum of rows.
 * scratch: layer_scratch_size (out). */
void layer_linear_backward (const layer_linear_args *linear, real *dx, real *dweight, real *dbias,
                            const real *dy, const real *x, real *scratch, const layer_run *run);

/* layer_activation -- out = f (x) for n elements; backward: dx = dout .* f'(x) (may overwrite
 * dout). */
void layer_activation (attn_activation kind, real *out, const real *x, size_t n,
                       const layer_run *run);
void layer_activation_backward (attn_activation kind, real *dx, const real *dout, const real *x,
                                size_t n, const layer_run *run);

/* layer_cross_entropy -- for each of N rows of logits (V): losses[n] = log (sum (exp (row))) -
 * row[targets[n]], and, when `weight` is not 0, the row is overwritten by weight*(softmax -
 * onehot). A target of -1 gives 0 and a zero row. */
void layer_cross_entropy (real *logits, const int32_t *targets, double *losses, size_t N, size_t V,
                          double factor, const layer_run *run);

#endif
