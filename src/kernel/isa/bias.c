/* Masks, causal order and windows, as numbers to add to one block of scores. */
#include "kernel/isa/attention.h"

static const real hidden = -(real)INFINITY;

static inline real logical_bias (uint8_t may_attend)
{
  return may_attend ? 0 : hidden;
}

/* Finite numbers beyond the range of single become its largest one; NaN and infinities stay. */
static inline real numeric_bias (double value)
{
#if defined(KERN_REAL_F32)
  double magnitude = fabs (value);
  if (magnitude > (double)FLT_MAX && magnitude <= DBL_MAX)
    return value > 0 ? FLT_MAX : -FLT_MAX;
#endif
  return (real)value;
}

/* mask_column -- what key J gets from the mask for ROWS queries from I0. */
static inline void mask_column (const kern_page *p, size_t i0, size_t rows, size_t j, real *bias)
{
  size_t at = i0 * p->mask.row + j * p->mask.col, step = p->mask.row;
  switch (p->mask_kind) {
  case ATTN_MASK_NONE:
    for (size_t r = 0; r < rows; r++)
      bias[r] = 0;
    break;
  case ATTN_MASK_LOGICAL:
    for (size_t r = 0; r < rows; r++)
      bias[r] = logical_bias (((const uint8_t *)p->mask.data)[at + r * step]);
    break;
  case ATTN_MASK_F32:
    for (size_t r = 0; r < rows; r++)
      bias[r] = (real)((const float *)p->mask.data)[at + r * step];
    break;
  case ATTN_MASK_F64:
    for (size_t r = 0; r < rows; r++)
      bias[r] = numeric_bias (((const double *)p->mask.data)[at + r * step]);
    break;
  }
}

/* hide_outside -- one lane: -Inf for the keys of j0 to j1 - 1 that RANGE leaves out. */
static void hide_outside (kern_range range, size_t j0, size_t j1, real *bias)
{
  size_t lo = range.lo < j1 ? range.lo : j1;
  for (size_t j = j0; j < lo; j++)
    bias[(j - j0) * LANES] = hidden;
  for (size_t j = range.hi > j0 ? range.hi : j0; j < j1; j++)
    bias[(j - j0) * LANES] = hidden;
}

/* classify -- looks at all N biases; lanes without a query hold 0 and hide nothing by themselves,
 * so that they are looked at only where a query is. */
static kern_visibility classify (const real *bias, size_t keys, size_t rows)
{
  const vec zero = vec_zero (), one = vec_set1 (1), minus_infinity = vec_set1 (hidden);
  vec all_zero[TILE_VECTORS], any_visible[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++) {
    all_zero[r] = one;
    any_visible[r] = zero;
  }
  for (size_t j = 0; j < keys; j++, bias += LANES)
    for (int r = 0; r < TILE_VECTORS; r++) {
      vec b = vec_load (bias + r * VEC_LANES);
      all_zero[r] = vec_select_eq (b, zero, all_zero[r], zero);
      any_visible[r] = vec_select_eq (b, minus_infinity, any_visible[r], one);
    }
  real zeros[LANES], visible[LANES];
  for (int r = 0; r < TILE_VECTORS; r++) {
    vec_store (zeros + r * VEC_LANES, all_zero[r]);
    vec_store (visible + r * VEC_LANES, any_visible[r]);
  }
  size_t plain_rows = 0, seeing_rows = 0;
  for (size_t r = 0; r < rows; r++) {
    plain_rows += zeros[r] != 0;
    seeing_rows += visible[r] != 0;
  }
  return seeing_rows == 0 ? KERN_HIDDEN : plain_rows == rows ? KERN_PLAIN : KERN_BIASED;
}

kern_visibility KERN_NAME (bias) (const kern_page *p, size_t i0, size_t rows, size_t j0, size_t j1,
                                  const kern_range *range, void *bias)
{
  real *out = bias;
  for (size_t j = j0; j < j1; j++) {
    real *column = out + (j - j0) * LANES;
    if (rows == LANES && p->mask.row == 1)
      mask_column (p, i0, LANES, j, column);
    else
      mask_column (p, i0, rows, j, column);
    for (size_t r = rows; r < LANES; r++)
      column[r] = 0;
  }
  for (size_t r = 0; r < rows; r++)
    hide_outside (range[r], j0, j1, out + r);
  return classify (out, j1 - j0, rows);
}
