/* The gradients, the loss and the optimiser of this instruction set. */
#include "kernel/train.h"

#include "kernel/isa/exp.h"
#include "kernel/isa/gelu.h"

/* whole_vectors -- the part of n numbers that fills vectors. */
static inline size_t whole_vectors (size_t n)
{
  return n / VEC_LANES * VEC_LANES;
}

/* load_rest, store_rest -- the numbers behind the whole vectors, with zeros for those missing. */
static inline vec load_rest (const real *p, size_t count)
{
  real rest[VEC_LANES] = {0};
  memcpy (rest, p, count * sizeof (real));
  return vec_load (rest);
}

static inline void store_rest (real *p, vec v, size_t count)
{
  real rest[VEC_LANES];
  vec_store (rest, v);
  memcpy (p, rest, count * sizeof (real));
}

static void add_rows (void *sum, const void *x, size_t rows, size_t width)
{
  real *restrict to = sum;
  const real *from = x;
  for (size_t r = 0; r < rows; r++, from += width)
    for (size_t j = 0; j < width; j++)
      to[j] += from[j];
}

/* ---- layer norm ---- */

static real mean_of (const real *x, size_t C)
{
  size_t whole = whole_vectors (C);
  vec sums = vec_zero ();
  for (size_t c = 0; c < whole; c += VEC_LANES)
    sums = vec_add (sums, vec_load (x + c));
  real sum = vec_sum (sums);
  for (size_t c = whole; c < C; c++)
    sum += x[c];
  return sum / (real)C;
}

static real inverse_deviation (const real *x, real mean, double epsilon, size_t C)
{
  size_t whole = whole_vectors (C);
  vec squares = vec_zero ();
  for (size_t c = 0; c < whole; c += VEC_LANES) {
    vec d = vec_sub (vec_load (x + c), vec_set1 (mean));
    squares = vec_fma (d, d, squares);
  }
  real square = vec_sum (squares);
  for (size_t c = whole; c < C; c++)
    square += (x[c] - mean) * (x[c] - mean);
  return (real)(1 / sqrt ((double)square / (double)C + epsilon));
}

/* row_means -- mean (g) and mean (g .* n) of one row. */
static void row_means (const real *dout, const real *x, const real *weight, real mean, real inverse,
                       size_t C, real *g_mean, real *gn_mean)
{
  size_t whole = whole_vectors (C);
  vec gs = vec_zero (), gns = vec_zero ();
  for (size_t c = 0; c < whole; c += VEC_LANES) {
    vec g = vec_mul (vec_load (dout + c), vec_load (weight + c));
    vec n = vec_mul (vec_sub (vec_load (x + c), vec_set1 (mean)), vec_set1 (inverse));
    gs = vec_add (gs, g);
    gns = vec_fma (g, n, gns);
  }
  real g_sum = vec_sum (gs), gn_sum = vec_sum (gns);
  for (size_t c = whole; c < C; c++) {
    real g = dout[c] * weight[c];
    g_sum += g;
    gn_sum += g * (x[c] - mean) * inverse;
  }
  *g_mean = g_sum / (real)C;
  *gn_mean = gn_sum / (real)C;
}

static void norm_backward_row (real *restrict dx, real *restrict dweight, real *restrict dbias,
                               const real *dout, const real *x, const real *weight, double epsilon,
                               size_t C)
{
  const real mean = mean_of (x, C), inverse = inverse_deviation (x, mean, epsilon, C);
  real g_mean, gn_mean;
  row_means (dout, x, weight, mean, inverse, C, &g_mean, &gn_mean);
  for (size_t c = 0; c < C; c++) {
    real n = (x[c] - mean) * inverse;
    dx[c] += inverse * (dout[c] * weight[c] - g_mean - n * gn_mean);
    dweight[c] += dout[c] * n;
    dbias[c] += dout[c];
  }
}

static void norm_backward (void *dx, void *dweight, void *dbias, const void *dout, const void *x,
                           const void *weight, double epsilon, size_t rows, size_t C)
{
  for (size_t r = 0; r < rows; r++)
    norm_backward_row ((real *)dx + r * C, dweight, dbias, (const real *)dout + r * C,
                       (const real *)x + r * C, weight, epsilon, C);
}

/* ---- activation ---- */

static void gelu_tanh_backward (void *dx, const void *dout, const void *x, size_t n)
{
  real *to = dx;
  const real *from = dout, *at = x;
  size_t whole = whole_vectors (n);
  for (size_t i = 0; i < whole; i += VEC_LANES)
    vec_store (to + i, vec_mul (vec_load (from + i), gelu_slope (vec_load (at + i))));
  if (n > whole) {
    size_t rest = n - whole;
    vec slope = gelu_slope (load_rest (at + whole, rest));
    store_rest (to + whole, vec_mul (load_rest (from + whole, rest), slope), rest);
  }
}

/* ---- loss ---- */

static real largest_of (const real *x, size_t n)
{
  size_t whole = whole_vectors (n);
  vec largest = vec_set1 (x[0]);
  for (size_t i = 0; i < whole; i += VEC_LANES)
    largest = vec_max (vec_load (x + i), largest);
  real lane[VEC_LANES], result = x[0];
  vec_store (lane, largest);
  for (size_t t = 0; t < VEC_LANES; t++)
    result = lane[t] > result ? lane[t] : result;
  for (size_t i = whole; i < n; i++)
    result = x[i] > result ? x[i] : result;
  return result;
}

/* shifted_exp -- x = exp (x - largest) for n numbers; returns their sum. */
static real shifted_exp (real *x, real largest, size_t n)
{
  size_t whole = whole_vectors (n), rest = n - whole;
  vec shift = vec_set1 (largest), sums = vec_zero ();
  for (size_t i = 0; i < whole; i += VEC_LANES) {
    vec e = vec_exp (vec_sub (vec_load (x + i), shift));
    vec_store (x + i, e);
    sums = vec_add (sums, e);
  }
  real sum = vec_sum (sums);
  if (rest > 0) {
    store_rest (x + whole, vec_exp (vec_sub (load_rest (x + whole, rest), shift)), rest);
    for (size_t i = whole; i < n; i++)
      sum += x[i];
  }
  return sum;
}

static void cross_entropy (void *logits, const int32_t *targets, double *losses, size_t rows,
                           size_t V, double factor)
{
  real *row = logits;
  for (size_t r = 0; r < rows; r++, row += V) {
    losses[r] = 0;
    if (targets[r] < 0) {
      memset (row, 0, V * sizeof (real));
      continue;
    }
    real largest = largest_of (row, V), logit = row[targets[r]];
    real sum = shifted_exp (row, largest, V);
    losses[r] = log ((double)sum) + ((double)largest - (double)logit);
    if (factor != 0) {
      const real share = (real)(factor / (double)sum);
      for (size_t v = 0; v < V; v++)
        row[v] *= share;
      row[targets[r]] -= (real)factor;
    }
  }
}

/* ---- optimiser ---- */

#if defined(KERN_REAL_F32)
#define REAL_SQRT sqrtf
#else
#define REAL_SQRT sqrt
#endif

static void adamw (void *w, void *m, void *v, const void *gradient, size_t n,
                   const kern_adamw_step *step)
{
  real *restrict weight = w, *restrict first = m, *restrict second = v;
  const real *restrict g = gradient;
  const real clip = (real)step->clip, beta1 = (real)step->beta1, beta2 = (real)step->beta2;
  const real keep1 = (real)(1 - step->beta1), keep2 = (real)(1 - step->beta2);
  const real inverse1 = (real)(1 / step->correction1), inverse2 = (real)(1 / step->correction2);
  const real epsilon = (real)step->epsilon, rate = (real)step->rate, decay = (real)step->decay;
  for (size_t i = 0; i < n; i++) {
    real clipped = clip * g[i];
    first[i] = beta1 * first[i] + keep1 * clipped;
    second[i] = beta2 * second[i] + keep2 * clipped * clipped;
    real direction = first[i] * inverse1 / (REAL_SQRT (second[i] * inverse2) + epsilon);
    weight[i] -= rate * (direction + decay * weight[i]);
  }
}

extern const kern_train KERN_NAME (train);
const kern_train KERN_NAME (train) = {
    .add_rows = add_rows,
    .norm_backward = norm_backward,
    .gelu_tanh_backward = gelu_tanh_backward,
    .cross_entropy = cross_entropy,
    .adamw = adamw,
};
