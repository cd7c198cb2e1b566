/* CPU kernels: one choice of an instruction set, and the interfaces behind it.
 *
 * Files in kernel/isa are compiled once for each instruction set and each element type; their
 * functions are called through the tables below only.  kernel/reference.c is plain C, defines what
 * is right, and redoes rows that the fast kernels cannot do. */
#ifndef KERNEL_KERN_H
#define KERNEL_KERN_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/attention.h"

typedef enum { KERN_REFERENCE, KERN_GENERIC, KERN_AVX2, KERN_AVX512, KERN_ISAS } kern_isa;

/* kern_isa_runs -- whether this build and this processor have the instruction set. */
bool kern_isa_runs (kern_isa isa);

/* kern_isa_choose -- the best instruction set that runs here, or the one that the environment
 * variable ATTN_KERNEL names (reference, generic, avx2, avx512) if it runs here.  The environment
 * is read at each call: choose once for a whole computation. */
kern_isa kern_isa_choose (void);

/* kern_isa_name -- as in ATTN_KERNEL.  Static memory. */
const char *kern_isa_name (kern_isa isa);

/* Element (i, j) is data[i*row + j*col]; strides in elements. */
typedef struct {
  void *data; /* NULL = absent */
  size_t row, col;
} kern_matrix;

/* One page of an attention problem; see attn_attention for the meaning. */
typedef struct {
  attn_type type;
  size_t Nq, Nk, d, dv;
  kern_matrix q, k, v; /* read only */
  kern_matrix y, w;    /* absent = not wanted */
  attn_mask_kind mask_kind;
  kern_matrix mask; /* read only */
  double scale;
} kern_page;

/* kern_mask_value -- what the mask adds to score (i, j): -Inf = the key is hidden.  Finite values
 * beyond the range of the page's type are +-its largest number. */
double kern_mask_value (const kern_page *p, size_t i, size_t j);

/* kern_attention_row -- row I of Y and W of one page in plain C, for keys LO to HI - 1 minus those
 * that the mask hides; W is zero elsewhere.  Computed in double, with the range of the scores
 * extended where they would overflow.
 * scratch: kern_attention_row_scratch (p) doubles. */
void kern_attention_row (const kern_page *p, size_t i, size_t lo, size_t hi, double *scratch);
size_t kern_attention_row_scratch (const kern_page *p);

#endif
