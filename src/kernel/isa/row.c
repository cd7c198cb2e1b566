/* Attention of single query rows straight from K and V: for so few queries that packing would cost
 * more than it saves, as when text is generated token by token. */
#include "kernel/isa/attention.h"
#include "kernel/isa/exp.h"

enum {
  DOTS = 4,                /* sums over t at once */
  COLUMNS = 8 * VEC_LANES, /* results at once where these are contiguous */
};

/* dots -- out[r] = sum over t of x[t]*m[t + r*stride]. */
static void dots (real *out, const real *x, const real *m, size_t stride, size_t T, size_t R)
{
  for (size_t r = 0; r < R; r += DOTS) {
    /* The last group repeats a row rather than read beyond it. */
    const real *row[DOTS];
    for (size_t e = 0; e < DOTS; e++)
      row[e] = m + (r + e < R ? r + e : r) * stride;
    vec sum[DOTS];
    for (int e = 0; e < DOTS; e++)
      sum[e] = vec_zero ();
    size_t t = 0;
    for (; t + VEC_LANES <= T; t += VEC_LANES) {
      vec y = vec_load (x + t);
#pragma GCC unroll 4
      for (int e = 0; e < DOTS; e++)
        sum[e] = vec_fma (y, vec_load (row[e] + t), sum[e]);
    }
    for (size_t e = 0; e < DOTS && r + e < R; e++) {
      real total = vec_sum (sum[e]);
      for (size_t rest = t; rest < T; rest++)
        total += x[rest] * row[e][rest];
      out[r + e] = total;
    }
  }
}

/* combine -- out[r] = sum over t of x[t]*m[t*stride + r]. */
static void combine (real *out, const real *x, const real *m, size_t stride, size_t T, size_t R)
{
  size_t r = 0;
  for (; r + COLUMNS <= R; r += COLUMNS) {
    vec sum[8];
    for (int e = 0; e < 8; e++)
      sum[e] = vec_zero ();
    for (size_t t = 0; t < T; t++) {
      vec y = vec_set1 (x[t]);
      const real *row = m + t * stride + r;
#pragma GCC unroll 8
      for (int e = 0; e < 8; e++)
        sum[e] = vec_fma (y, vec_load (row + e * VEC_LANES), sum[e]);
    }
    for (int e = 0; e < 8; e++)
      vec_store (out + r + e * VEC_LANES, sum[e]);
  }
  for (; r + VEC_LANES <= R; r += VEC_LANES) {
    vec sum = vec_zero ();
    for (size_t t = 0; t < T; t++)
      sum = vec_fma (vec_set1 (x[t]), vec_load (m + t * stride + r), sum);
    vec_store (out + r, sum);
  }
  for (; r < R; r++) {
    out[r] = 0;
    for (size_t t = 0; t < T; t++)
      out[r] += x[t] * m[t * stride + r];
  }
}

/* product -- out[r] = sum over t of x[t]*m[t*t_stride + r*r_stride]; one of the strides is 1, or
 * the dimension that it belongs to has one element. */
static void product (real *out, const real *x, const real *m, size_t t_stride, size_t r_stride,
                     size_t T, size_t R)
{
  if (t_stride == 1)
    dots (out, x, m, r_stride, T, R);
  else
    combine (out, x, m, t_stride, T, R);
}

/* hide_scores -- adds the mask, in COUNT scores from key LO; false if a visible score is -Inf
 * without it, which may be an overflow of a part of the sum. */
static bool hide_scores (const kern_page *p, size_t i, size_t lo, size_t count, real *scores)
{
  const real hidden = -(real)INFINITY;
  bool good = true;
  if (p->mask_kind != ATTN_MASK_NONE)
    for (size_t j = 0; j < count; j++) {
      real bias = (real)kern_mask_value (p, i, lo + j);
      good &= bias == hidden || scores[j] != hidden;
      scores[j] = bias == hidden ? hidden : scores[j] + bias;
    }
  else
    for (size_t j = 0; j < count; j++)
      good &= scores[j] != hidden;
  return good;
}

/* exponentials -- exp (s - max) of COUNT scores in place; returns their sum.  There is room to
 * round COUNT up to KERN_ROW_PADDING. */
static real exponentials (real *scores, size_t count)
{
  enum { STEP = EXP_VECTORS * VEC_LANES };
  _Static_assert(KERN_ROW_PADDING % STEP == 0, "room for whole steps");
  for (size_t j = count; j % STEP != 0; j++)
    scores[j] = -(real)INFINITY;
  vec top = vec_set1 (-REAL_MAX), sum = vec_zero ();
  for (size_t j = 0; j < count; j += VEC_LANES)
    top = vec_max (vec_load (scores + j), top);
  real lane[VEC_LANES], max = -REAL_MAX;
  vec_store (lane, top);
  for (int r = 0; r < VEC_LANES; r++)
    max = lane[r] > max ? lane[r] : max;
  const vec m = vec_set1 (max);
  for (size_t j = 0; j < count; j += STEP) {
    vec x[EXP_VECTORS];
    for (int e = 0; e < EXP_VECTORS; e++)
      x[e] = vec_sub (vec_load (scores + j + e * VEC_LANES), m);
    vec_exp_each (x, EXP_VECTORS);
    for (int e = 0; e < EXP_VECTORS; e++) {
      vec_store (scores + j + e * VEC_LANES, x[e]);
      sum = vec_add (sum, x[e]);
    }
  }
  return vec_sum (sum);
}

static void write_weights (const kern_page *p, size_t i, kern_range range, const real *weights,
                           real factor)
{
  real *w = (real *)p->w.data + i * p->w.row;
  for (size_t j = 0; j < p->Nk; j++)
    w[j * p->w.col] = j >= range.lo && j < range.hi ? weights[j - range.lo] * factor : 0;
}

bool KERN_NAME (row) (const kern_page *p, size_t i, kern_range range, void *scratch)
{
  const size_t count = range.hi - range.lo;
  real *q = scratch, *out = q + p->d, *scores = out + p->dv;
  const real scale = (real)p->scale, *from = (const real *)p->q.data + i * p->q.row;
  if (scale != 0 && REAL_ABS (scale) < REAL_MIN)
    return false;
  /* A scale above 1 goes into q, one below 1 into the scores: no product below the range matters
   * then, and what is beyond the range shows as an infinity or NaN. */
  const bool before = REAL_ABS (scale) > 1;
  for (size_t c = 0; c < p->d; c++)
    q[c] = before ? from[c * p->q.col] * scale : from[c * p->q.col];
  product (scores, q, (const real *)p->k.data + range.lo * p->k.row, p->k.col, p->k.row, p->d,
           count);
  for (size_t j = 0; j < count && !before; j++)
    scores[j] *= scale;
  if (!hide_scores (p, i, range.lo, count, scores))
    return false;

  real sum = exponentials (scores, count);
  bool good = sum > 0 && sum <= REAL_MAX;
  if (!good)
    return false;
  if (p->y.data != NULL) {
    product (out, scores, (const real *)p->v.data + range.lo * p->v.row, p->v.row, p->v.col, count,
             p->dv);
    real *y = (real *)p->y.data + i * p->y.row;
    for (size_t c = 0; c < p->dv; c++) {
      y[c * p->y.col] = out[c] / sum;
      good &= REAL_ABS (out[c]) <= REAL_MAX;
    }
  }
  if (p->w.data != NULL)
    write_weights (p, i, range, scores, 1 / sum);
  return good;
}
