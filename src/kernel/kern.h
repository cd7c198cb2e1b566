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

/* Keys from lo to hi - 1. */
typedef struct {
  size_t lo, hi;
} kern_range;

/* What a block of keys is to a panel of queries: all seen with a bias of 0, all hidden, or anything
 * else.  A | B is what the blocks A and B are together; 0 is a block without keys. */
typedef enum { KERN_PLAIN = 1, KERN_HIDDEN = 2, KERN_BIASED = 3 } kern_visibility;

enum { KERN_ROW_PADDING = 64 };

#define KERN_LOG2E 1.4426950408889634074 /* log2 (e) */

/* Attention by panels and blocks for one instruction set and one element type.
 *
 * A panel is `lanes` consecutive queries, one in each lane of a few vectors; everything that
 * belongs to a panel has the lanes innermost.  K and V are packed in groups of `columns` keys or
 * columns of V; the last group keeps its own width, so that packing a matrix changes its order
 * only. All are arrays of the element type:
 *
 *   q      d-by-lanes                        a panel of Q, times scale*log2 (e)
 *   k      Nk/columns groups, d-by-columns   packed K
 *   v      dv/columns groups, Nk-by-columns  packed V
 *   strip  keys-by-lanes                     scores, then weights, of one block of keys
 *   bias   keys-by-lanes                     0, the mask, or -Inf = hidden
 *   out    dv-by-lanes                       sum of weight * v over the keys so far
 *   max, sum, factor                         lanes each
 *
 * Scores and `max` are those of the definition times log2 (e), so that a weight before its division
 * by the sum is 2^(score - max): cheaper than exp (score - max), and the factor costs nothing.
 * `max` starts at minus the largest number, `sum` and `out` at 0. */
typedef struct {
  size_t lanes, columns;

  /* pack -- in (t, r) = in[t*t_stride + r*r_stride], T-by-R, to groups of `columns` r's. */
  void (*pack) (void *packed, const void *in, size_t t_stride, size_t r_stride, size_t T, size_t R);

  /* pack_queries -- one panel from ROWS <= lanes rows of Q, zeros in the other lanes; returns the
   * largest finite |q| before the scale. */
  double (*pack_queries) (void *q, kern_matrix in, size_t rows, size_t d, double scale);

  /* largest -- the largest finite |x| of N numbers. */
  double (*largest) (const void *x, size_t n);

  /* start -- state of a panel that has seen no key. */
  void (*start) (void *max, void *sum, void *out, size_t dv);

  /* mask -- bias of queries i0 to i0 + rows - 1 and keys j0 to j1 - 1 > j0, by the mask alone, and
   * what that makes of them; lanes without a query repeat the first one. */
  kern_visibility (*mask) (const kern_page *p, size_t i0, size_t rows, size_t j0, size_t j1,
                           void *bias);

  /* hide -- sets the bias of ROWS queries and keys j0 to j1 - 1 to -Inf where range[row] leaves the
   * key out, and looks at what has become of it; lanes without a query as in `mask`. */
  kern_visibility (*hide) (const kern_range *range, size_t rows, size_t j0, size_t j1, void *bias);

  /* scores -- strip = q * k' + bias*log2 (e) over KEYS keys, which are whole groups; raises `max`
   * to the largest of each lane.  bias NULL = none; keys in `plain` have a bias of 0 that is not
   * read. */
  void (*scores) (const void *q, const void *k, size_t d, size_t keys, const void *bias,
                  kern_range plain, void *strip, void *max);

  /* exponentials -- strip = 2^(strip - max); factor = 2^(old_max - max); sum = sum*factor + sums of
   * the strip.  Within 2 ulp. */
  void (*exponentials) (void *strip, size_t keys, const void *old_max, const void *max,
                        void *factor, void *sum);

  /* average -- out = out*factor + v' * strip, where the strip has keys j0 to j0 + keys - 1. */
  void (*average) (const void *strip, size_t keys, const void *v, size_t Nk, size_t j0, size_t dv,
                   const void *factor, void *out);

  /* check -- failed[r]: whether the reference has to do row r, since its sum is NaN, infinite or 0,
   * or its largest score was below the range. */
  void (*check) (const void *sum, const void *max, size_t rows, unsigned char *failed);

  /* finish -- y = (out/sum)', dv columns; sets failed[r] where one is NaN or infinite. */
  void (*finish) (const void *out, const void *sum, size_t rows, size_t dv, kern_matrix y,
                  unsigned char *failed);

  /* finish_weights -- w = (strip * 2^(block_max - max) / sum)' for KEYS keys. */
  void (*finish_weights) (const void *strip, size_t keys, const void *block_max, const void *max,
                          const void *sum, size_t rows, kern_matrix w);

  /* clear_weights -- w = 0, ROWS-by-KEYS. */
  void (*clear_weights) (kern_matrix w, size_t rows, size_t keys);

  /* row -- row I of Y and W for the keys of RANGE, not packed.  K and V each have a stride of 1.
   * False where the reference has to do the row again.
   * scratch: d + dv + Nk + KERN_ROW_PADDING elements. */
  bool (*row) (const kern_page *p, size_t i, kern_range range, void *scratch);
} kern_attention;

/* kern_attention_table -- NULL for KERN_REFERENCE and for what this build does not have. */
const kern_attention *kern_attention_table (kern_isa isa, attn_type type);

#endif
