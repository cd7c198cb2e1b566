/* Gradients of attention for panels of queries, and the table of this instruction set. */
#include "kernel/backward.h"

#include "kernel/isa/attention.h"
#include "kernel/isa/exp.h"
#include "kernel/isa/product.h"

static void weigh (const void *strip, const void *product, size_t keys, const void *factor,
                   void *mean)
{
  const real *weight = strip, *value = product, *scale = factor;
  real *out = mean;
  vec sum[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++)
    sum[r] = vec_mul (vec_load (out + r * VEC_LANES), vec_load (scale + r * VEC_LANES));
  for (size_t j = 0; j < keys; j++, weight += LANES, value += LANES)
    for (int r = 0; r < TILE_VECTORS; r++)
      sum[r] =
          vec_fma (vec_load (weight + r * VEC_LANES), vec_load (value + r * VEC_LANES), sum[r]);
  for (int r = 0; r < TILE_VECTORS; r++)
    vec_store (out + r * VEC_LANES, sum[r]);
}

static void judge (const void *sum, void *mean, unsigned char *failed)
{
  const vec one = vec_set1 (1), zero = vec_zero ();
  real *out = mean;
  for (int r = 0; r < TILE_VECTORS; r++) {
    vec inverse = one / vec_load ((const real *)sum + r * VEC_LANES);
    vec x = vec_mul (vec_load (out + r * VEC_LANES), inverse);
    vec_store (out + r * VEC_LANES, x);
    /* x - x is 0 for finite x only. */
    vec good = vec_select_eq (vec_sub (x, x), zero, one, zero);
    real lane[VEC_LANES];
    vec_store (lane, good);
    for (int t = 0; t < VEC_LANES; t++)
      failed[r * VEC_LANES + t] |= lane[t] == 0;
  }
}

static void differences (void *strip, void *product, size_t keys, const void *block_max,
                         const void *max, const void *sum, const void *mean, double scale,
                         const unsigned char *failed)
{
  const vec zero = vec_zero (), factor = vec_set1 ((real)scale);
  vec share[TILE_VECTORS], centre[TILE_VECTORS], keep[TILE_VECTORS];
  for (int r = 0; r < TILE_VECTORS; r++) {
    size_t at = (size_t)r * VEC_LANES;
    real good[VEC_LANES];
    for (int t = 0; t < VEC_LANES; t++)
      good[t] = !failed[at + (size_t)t];
    keep[r] = vec_load (good);
    vec late = vec_sub (vec_load ((const real *)block_max + at), vec_load ((const real *)max + at));
    share[r] = vec_exp2 (late) / vec_load ((const real *)sum + at);
    centre[r] = vec_load ((const real *)mean + at);
  }
  real *weight = strip, *difference = product;
  for (size_t j = 0; j < keys; j++, weight += LANES, difference += LANES)
    for (int r = 0; r < TILE_VECTORS; r++) {
      vec w = vec_mul (vec_load (weight + r * VEC_LANES), share[r]);
      vec centred = vec_sub (vec_load (difference + r * VEC_LANES), centre[r]);
      vec ds = vec_mul (vec_mul (w, factor), centred);
      vec_store (weight + r * VEC_LANES, vec_select_eq (keep[r], zero, zero, w));
      vec_store (difference + r * VEC_LANES, vec_select_eq (keep[r], zero, zero, ds));
    }
}

static void pack_rows (void *packed, kern_matrix in, size_t rows, size_t columns,
                       const unsigned char *failed)
{
  real *out = packed;
  const real *data = in.data;
  for (size_t c0 = 0; c0 < columns; c0 += LANES) {
    size_t given = columns - c0 < LANES ? columns - c0 : LANES;
    size_t width = (given + VEC_LANES - 1) / VEC_LANES * VEC_LANES;
    for (size_t r = 0; r < LANES; r++, out += width) {
      size_t filled = r < rows && !failed[r] ? given : 0;
      const real *from = data + r * in.row + c0 * in.col;
      if (in.col == 1)
        for (size_t c = 0; c < filled; c++)
          out[c] = from[c];
      else
        for (size_t c = 0; c < filled; c++)
          out[c] = from[c * in.col];
      for (size_t c = filled; c < width; c++)
        out[c] = 0;
    }
  }
}

/* scatter_tile -- `keys` keys by `vectors` vectors of columns, constants in every call; the strips
 * are read from key AT on, the rows from the group at GROUP on. */
INLINE void scatter_tile (const kern_backward_share *shares, size_t count, size_t at, size_t group,
                          real *sums, const int keys, const int vectors)
{
  _Static_assert(LANES % PRODUCT_STEPS == 0, "no steps are left over");
  product_tile acc;
#pragma GCC unroll 16
  for (int j = 0; j < keys; j++)
#pragma GCC unroll 4
    for (int r = 0; r < vectors; r++)
      acc[j][r] = vec_load (sums + (j * vectors + r) * VEC_LANES);
  for (size_t n = 0; n < count; n++) {
    const real *strip = (const real *)shares[n].strip + at * LANES;
    const real *rows = (const real *)shares[n].rows + group * LANES;
    for (int t = 0; t < LANES; t += PRODUCT_STEPS) {
#pragma GCC unroll 4
      for (int s = 0; s < PRODUCT_STEPS; s++)
        product_step (acc, rows + s * vectors * VEC_LANES, strip + s, LANES, keys, vectors);
      strip += PRODUCT_STEPS;
      rows += PRODUCT_STEPS * vectors * VEC_LANES;
    }
  }
#pragma GCC unroll 16
  for (int j = 0; j < keys; j++)
#pragma GCC unroll 4
    for (int r = 0; r < vectors; r++)
      vec_store (sums + (j * vectors + r) * VEC_LANES, acc[j][r]);
}

/* scatter_group -- one group of columns; `vectors` is a constant in every call. */
INLINE void scatter_group (const kern_backward_share *shares, size_t count, size_t keys,
                           size_t group, real *sums, const int vectors)
{
  size_t j = 0;
  for (; j + TILE_COLUMNS <= keys; j += TILE_COLUMNS, sums += TILE_COLUMNS * vectors * VEC_LANES)
    scatter_tile (shares, count, j, group, sums, TILE_COLUMNS, vectors);
  for (; j < keys; j++, sums += vectors * VEC_LANES)
    scatter_tile (shares, count, j, group, sums, 1, vectors);
}

_Static_assert(TILE_VECTORS == 2, "a narrower group is one vector wide");

static void scatter (const kern_backward_share *shares, size_t count, size_t keys, size_t width,
                     size_t Nk, size_t j0, void *sums)
{
  real *group = sums;
  for (size_t c = 0; c < width; c += LANES, group += Nk * LANES)
    if (width - c >= LANES)
      scatter_group (shares, count, keys, c, group + j0 * LANES, TILE_VECTORS);
    else
      scatter_group (shares, count, keys, c, group + j0 * VEC_LANES, 1);
}

static void add (void *sums, const void *more, size_t n)
{
  real *restrict to = sums;
  const real *restrict from = more;
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

static void store (const void *sums, size_t Nk, size_t columns, size_t width, kern_matrix m)
{
  enum { BLOCK = 16 }; /* rows whose numbers share cache lines in column-major results */
  const real *group = sums;
  for (size_t c0 = 0; c0 < columns; c0 += LANES) {
    size_t wide = width - c0 < LANES ? width - c0 : LANES;
    size_t given = columns - c0 < LANES ? columns - c0 : LANES;
    real *to = (real *)m.data + c0 * m.col;
    for (size_t i0 = 0; i0 < Nk; i0 += BLOCK) {
      size_t i1 = Nk - i0 < BLOCK ? Nk : i0 + BLOCK;
      if (m.col == 1)
        for (size_t i = i0; i < i1; i++)
          for (size_t c = 0; c < given; c++)
            to[i * m.row + c] = group[i * wide + c];
      else
        for (size_t c = 0; c < given; c++)
          for (size_t i = i0; i < i1; i++)
            to[i * m.row + c * m.col] = group[i * wide + c];
    }
    group += Nk * wide;
  }
}

extern const kern_backward KERN_NAME (backward);

const kern_backward KERN_NAME (backward) = {
    .vector = VEC_LANES,
    .weigh = weigh,
    .judge = judge,
    .differences = differences,
    .pack_rows = pack_rows,
    .scatter = scatter,
    .add = add,
    .store = store,
};
