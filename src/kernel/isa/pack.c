/* Copies of matrices in the order in which the products read them. */
#include "kernel/isa/attention.h"

/* pack_group -- T-by-WIDTH, one group.  A constant WIDTH lets the copy of a row be a few moves. */
static inline void pack_group (real *out, const real *in, size_t t_stride, size_t r_stride,
                               size_t T, size_t width)
{
  if (r_stride == 1)
    for (size_t t = 0; t < T; t++, out += width, in += t_stride)
      for (size_t r = 0; r < width; r++)
        out[r] = in[r];
  else
    for (size_t t = 0; t < T; t++, out += width, in += t_stride)
      for (size_t r = 0; r < width; r++)
        out[r] = in[r * r_stride];
}

void KERN_NAME (pack) (void *packed, const void *in, size_t t_stride, size_t r_stride, size_t T,
                       size_t R, size_t width)
{
  real *out = packed;
  for (size_t r = 0; r < R; r += width) {
    const real *group = (const real *)in + r * r_stride;
    if (R - r < width)
      pack_group (out, group, t_stride, r_stride, T, R - r);
    else if (width == TILE_COLUMNS)
      pack_group (out, group, t_stride, r_stride, T, TILE_COLUMNS);
    else
      pack_group (out, group, t_stride, r_stride, T, width);
    out += width * T;
  }
}

double KERN_NAME (pack_queries) (void *q, kern_matrix in, size_t rows, size_t d, double scale)
{
  real *out = q;
  const real *column = in.data;
  for (size_t c = 0; c < d; c++, out += LANES, column += in.col) {
    if (rows == LANES && in.row == 1)
      memcpy (out, column, LANES * sizeof *out);
    else
      for (size_t r = 0; r < LANES; r++)
        out[r] = r < rows ? column[r * in.row] : 0;
  }
  double largest = KERN_NAME (largest) (q, d * LANES);
  const vec factor = vec_set1 ((real)scale);
  out = q;
  for (size_t t = 0; t < d * LANES; t += VEC_LANES)
    vec_store (out + t, vec_mul (vec_load (out + t), factor));
  return largest;
}

double KERN_NAME (largest) (const void *x, size_t n)
{
  enum { CHAINS = 4 }; /* of dependent operations, side by side */
  const real *p = x;
  const vec infinity = vec_set1 ((real)INFINITY), zero = vec_zero ();
  vec top[CHAINS];
  for (int e = 0; e < CHAINS; e++)
    top[e] = zero;
  for (; n >= CHAINS * VEC_LANES; n -= CHAINS * VEC_LANES, p += CHAINS * VEC_LANES)
#pragma GCC unroll 4
    for (int e = 0; e < CHAINS; e++) {
      vec v = vec_load (p + e * VEC_LANES);
      v = vec_max (v, vec_sub (zero, v));
      top[e] = vec_max (vec_select_lt (v, infinity, v, zero), top[e]);
    }
  real lane[CHAINS * VEC_LANES];
  for (int e = 0; e < CHAINS; e++)
    vec_store (lane + e * VEC_LANES, top[e]);
  real result = 0;
  for (int t = 0; t < CHAINS * VEC_LANES; t++)
    result = lane[t] > result ? lane[t] : result;
  for (size_t t = 0; t < n; t++) {
    real v = REAL_ABS (p[t]);
    if (v <= REAL_MAX && v > result)
      result = v;
  }
  return (double)result;
}
