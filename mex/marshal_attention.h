/* The arguments that attention and attention_grad share. */
#ifndef MEX_MARSHAL_ATTENTION_H
#define MEX_MARSHAL_ATTENTION_H

#include "marshal.h"

#include "attn/attention.h"

enum { ATTENTION_INPUTS_MAX = 4, ATTENTION_INPUT_DIMS = 4, ATTENTION_W_DIMS = 5 };

/* One call, read; everything is borrowed from its arguments. */
typedef struct {
  int inputs; /* matrices in front of the options: Q, K, V [, dY] */
  const mxArray *q, *k, *v;
  const mxArray *dy;   /* NULL = not an input */
  const mxArray *mask; /* NULL = none */
  bool single;         /* class of the results */
  size_t heads;        /* 0 = not given */
  double scale;        /* NaN = not given */
  bool causal;
  double window[2];                    /* whole numbers or Inf */
  size_t y_dims[ATTENTION_INPUT_DIMS]; /* Nq, dv times heads, pages */
  size_t w_dims[ATTENTION_W_DIMS];     /* Nq, Nk, [heads,] pages */
  size_t w_ndims;
} attention_request;

/* attention_read -- the call that ARGS ask for: INPUTS (3 or 4) matrices, then options.  A is ready
 * but for its results; converted copies belong to the interpreter.
 * Raises: attention:bad-type, :size-mismatch, :bad-option, :out-of-range, :no-memory.  Everything
 * that can be wrong with the arguments is found here. */
void attention_read (attention_request *r, attn_attention *a, int inputs, int nargs,
                     const mxArray *args[]);

#endif
