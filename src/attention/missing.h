/* Missing values: NaN in V.
 *
 * A NaN at key j and column c of V makes NaN of Y (i, c) for every query i that sees the key, and
 * of nothing else.  The fast kernels multiply V by a weight of 0 where a key is hidden, which does
 * not remove a NaN; they get V with zeros in place of NaN, and the NaN are written to Y afterwards.
 */
#ifndef ATTENTION_MISSING_H
#define ATTENTION_MISSING_H

#include "attention/problem.h"

typedef struct {
  attn_attention call; /* the call with zeros for NaN in V */
  void *values;        /* owned: that V; NULL = there are no NaN */
  size_t *count;       /* owned: [kv page] keys with NaN */
  size_t *columns;     /* [kv page] columns with NaN */
  size_t *keys;        /* [kv page][Nk] the first `count` */
} missing_values;

/* missing_open -- looks for NaN in V; gives ownership where there are some.
 * Errors: ATTN_E_NOMEM. */
attn_status missing_open (missing_values *m, const attn_attention *a, attn_error *err);
void missing_close (missing_values *m);

/* missing_row -- writes the NaN of row I of Y, which sees keys of RANGE that the mask does not
 * hide; PAGE, a page of the original call, uses page KV_PAGE of K and V. */
void missing_row (const missing_values *m, const kern_page *page, size_t kv_page, size_t i,
                  key_range range);

#endif
