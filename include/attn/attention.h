/* Scaled dot-product attention over strided, paged matrices.
 *
 * For each page:  S = scale * Q*K' + mask,  W = softmax of each row of S,  Y = W*V
 * (Vaswani et al. 2017, "Attention Is All You Need", equation 1), computed in one pass over blocks
 * of keys with a running maximum (Milakov and Gimelshein 2018; Dao et al. 2022), so that nothing
 * Nq-by-Nk is stored unless W is asked for. */
#ifndef ATTN_ATTENTION_H
#define ATTN_ATTENTION_H

#include <stddef.h>
#include "attn/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ATTN_F32, ATTN_F64 } attn_type;

enum { ATTN_PAGE_DIMS = 3 }; /* heads, batches, batches of batches */

/* A stack of matrices.  Element (i, j) of page (p0, p1, p2), all counted from 0, is
 *   data[i*row_stride + j*col_stride + p0*page_stride[0] + p1*page_stride[1] + p2*page_stride[2]]
 * with strides in elements.  Column-major with leading dimension ld: row_stride 1, col_stride ld.
 * A stride of 0 repeats one row, column or page (inputs only). */
typedef struct {
  void *data; /* inputs are never written */
  size_t row_stride, col_stride;
  size_t page_stride[ATTN_PAGE_DIMS];
} attn_view;

typedef enum {
  ATTN_MASK_NONE,
  ATTN_MASK_LOGICAL, /* one byte an element; non-zero = may attend */
  ATTN_MASK_F32,     /* added to the scaled scores; -Inf = may not attend */
  ATTN_MASK_F64
} attn_mask_kind;

#define ATTN_WINDOW_NONE ((size_t)-1)

/* One call.  Query i stands at position i + Nk - Nq of the keys (lower-right alignment).  It may
 * see key j when the mask allows it, j <= position if causal, and position - window_left <= j <=
 * position + window_right. */
typedef struct {
  attn_type type;                  /* of Q, K, V, Y and W */
  size_t Nq, Nk, d, dv;            /* queries, keys, columns of Q and K, columns of V and Y */
  size_t pages[ATTN_PAGE_DIMS];    /* pages of Q, Y and W; 1 where unused */
  size_t kv_pages[ATTN_PAGE_DIMS]; /* pages of K and V; each divides that of Q: query page p reads
                                      key/value page p / (pages/kv_pages) */
  attn_view q, k, v;               /* Nq-by-d, Nk-by-d, Nk-by-dv */
  attn_view y, w;                  /* Nq-by-dv, Nq-by-Nk; data NULL = not wanted */
  attn_mask_kind mask_kind;
  attn_view mask; /* Nq-by-Nk over the pages of Q, with strides 0 to broadcast */
  double scale;   /* finite */
  int causal;
  size_t window_left, window_right; /* ATTN_WINDOW_NONE = unlimited */
} attn_attention;

/* attn_attention_init -- fills *A for dense column-major matrices: given sizes, one page, scale
 * 1/sqrt(d) (1 for d = 0), no mask, no window, all data NULL; every view has row stride 1, the
 * leading dimension of its rows, and pages that follow one another.
 * Set `pages`/`kv_pages` and call attn_attention_pack_pages to get the page strides of stacks. */
void attn_attention_init (attn_attention *a, attn_type type, size_t Nq, size_t Nk, size_t d,
                          size_t dv);

/* attn_attention_pack_pages -- recomputes the page strides of q, k, v, y, w for contiguous
 * column-major stacks of a->pages and a->kv_pages matrices. */
void attn_attention_pack_pages (attn_attention *a);

/* attn_attention_forward -- Y = softmax (scale*Q*K' + mask) * V for every page, and W if wanted.
 * in:      a (its inputs borrowed for the call; may alias one another), run (NULL = defaults).
 * out:     y, w: memory of the caller, not overlapping the inputs; either may be NULL.
 * Rules:   a query that may see no key gets a zero row in Y and W.  A hidden key or value never
 *          influences the result, NaN and Inf included.  Visible NaN propagates.  Scores whose
 * exact value lies outside the range of the type still give the right weights. Numeric masks of
 * finite numbers beyond the range of single act as +-realmax ("single"). Errors:  ATTN_E_NOMEM,
 * ATTN_E_SIZE (sizes overflow), ATTN_E_RANGE (scale), ATTN_E_INTERRUPTED; outputs are unspecified
 * then. Cost:    2*Nq*Nk*(d + dv) flops a page, half when causal; O(Nk*(d + dv)) scratch a thread.
 */
attn_status attn_attention_forward (const attn_attention *a, const attn_run *run, attn_error *err);

/* Gradients of a scalar loss through one call of attn_attention_forward. */
typedef struct {
  attn_view dy;         /* Nq-by-dv over the pages of Q: gradient of the loss by Y */
  attn_view dq, dk, dv; /* shapes and pages of Q, K, V; data NULL = not wanted */
} attn_attention_gradient;

/* attn_attention_backward -- dQ, dK, dV for a given dY, with the weights recomputed by tile:
 *   D = rowsum (dY .* Y),  dS = W .* (dY*V' - D),
 *   dQ = scale*dS*K,  dK = scale*dS'*Q,  dV = W'*dY   (Dao et al. 2022, appendix B.4);
 * heads of a group add up in dK and dV.  The sums run in a fixed order: same input, same bits.
 * in:      a as for attn_attention_forward; its y and w are neither read nor written.
 * out:     g->dq, dk, dv: memory of the caller, not overlapping the inputs; overwritten.
 * Rules:   a query that sees nothing and a hidden key get zero gradients.
 * Errors:  as attn_attention_forward.
 * Cost:    2*Nq*Nk*(3*d + 2*dv) flops a page, half when causal; O(Nq + Nk) times d + dv scratch. */
attn_status attn_attention_backward (const attn_attention *a, const attn_attention_gradient *g,
                                     const attn_run *run, attn_error *err);

#ifdef __cplusplus
}
#endif

#endif
