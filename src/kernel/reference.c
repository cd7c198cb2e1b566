/* Attention one query row at a time, in plain C: the definition of what is right. */
#include "kernel/kern.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/size.h"

static inline double element (attn_type type, const kern_matrix *m, size_t i, size_t j)
{
  size_t at = i * m->row + j * m->col;
  return type == ATTN_F32 ? (double)((const float *)m->data)[at] : ((const double *)m->data)[at];
}

static inline void set_element (attn_type type, const kern_matrix *m, size_t i, size_t j, double x)
{
  size_t at = i * m->row + j * m->col;
  if (type == ATTN_F32)
    ((float *)m->data)[at] = (float)x;
  else
    ((double *)m->data)[at] = x;
}

double kern_mask_value (const kern_page *p, size_t i, size_t j)
{
  if (p->mask_kind == ATTN_MASK_NONE)
    return 0;
  if (p->mask_kind == ATTN_MASK_LOGICAL)
    return ((const uint8_t *)p->mask.data)[i * p->mask.row + j * p->mask.col] ? 0 : -INFINITY;
  double value = element (p->mask_kind == ATTN_MASK_F32 ? ATTN_F32 : ATTN_F64, &p->mask, i, j);
  if (p->type == ATTN_F32 && isfinite (value) && fabs (value) > FLT_MAX)
    return copysign (FLT_MAX, value);
  return value;
}

/* key_is_finite -- whether score (i, j) is made of finite numbers only. */
static bool key_is_finite (const kern_page *p, size_t i, size_t j, double bias)
{
  bool finite = isfinite (bias);
  for (size_t c = 0; c < p->d; c++)
    finite &=
        isfinite (element (p->type, &p->q, i, c)) && isfinite (element (p->type, &p->k, j, c));
  return finite;
}

static inline double plain_score (attn_type type, const kern_page *p, size_t i, size_t j)
{
  double dot = 0;
  for (size_t c = 0; c < p->d; c++)
    dot += element (type, &p->q, i, c) * element (type, &p->k, j, c);
  return p->scale * dot;
}

/* exponent_of -- e with |x| < 2^e; very small for 0, and for what no scaling helps. */
static int exponent_of (double x)
{
  int e = -2 * DBL_MAX_EXP;
  if (x != 0 && isfinite (x))
    frexp (x, &e);
  return e;
}

/* score_exponent -- e with |every term of score (i, j)| < 2^e. */
static int score_exponent (const kern_page *p, size_t i, size_t j, double bias)
{
  int largest = -2 * DBL_MAX_EXP;
  for (size_t c = 0; c < p->d; c++) {
    int e =
        exponent_of (element (p->type, &p->q, i, c)) + exponent_of (element (p->type, &p->k, j, c));
    largest = e > largest ? e : largest;
  }
  largest += exponent_of (p->scale);
  int e = exponent_of (bias);
  return largest > e ? largest : e;
}

/* shifted_score -- score (i, j) times 2^-shift, where the score itself or a partial sum of it is
 * beyond the range of double. */
static double shifted_score (const kern_page *p, size_t i, size_t j, double bias, int shift)
{
  if (p->scale == 0)
    return ldexp (bias, -shift);
  int scale_exponent, q_exponent, k_exponent;
  double scale = frexp (p->scale, &scale_exponent);
  double sum = 0;
  for (size_t c = 0; c < p->d; c++) {
    double q = frexp (element (p->type, &p->q, i, c), &q_exponent);
    double k = frexp (element (p->type, &p->k, j, c), &k_exponent);
    sum += ldexp (q * k, q_exponent + k_exponent + scale_exponent - shift);
  }
  return sum * scale + ldexp (bias, -shift);
}

/* Scores of one row.  `shift` is 0 unless a score of finite numbers overflows. */
typedef struct {
  double *score; /* times 2^-shift; [j - lo], -Inf where hidden */
  double max;
  int shift;
  size_t visible; /* keys */
  bool undefined; /* a visible NaN, or +Inf made of infinities: all weights are NaN */
} row_scores;

/* fill_shifted -- scores of a row whose plain scores overflow. */
static void fill_shifted (const kern_page *p, size_t i, size_t lo, size_t hi, row_scores *r)
{
  int largest = 0;
  for (size_t j = lo; j < hi; j++) {
    double bias = kern_mask_value (p, i, j);
    if (bias == -INFINITY)
      continue;
    int e = score_exponent (p, i, j, bias);
    largest = e > largest ? e : largest;
  }
  /* A sum of d terms and the bias is below (d + 1) times the largest one. */
  int shift = largest + exponent_of ((double)p->d + 1) - (DBL_MAX_EXP - 1);
  r->shift = shift > 0 ? shift : 0;
  r->max = -INFINITY;
  for (size_t j = lo; j < hi; j++) {
    double bias = kern_mask_value (p, i, j);
    double s = bias == -INFINITY ? bias : shifted_score (p, i, j, bias, r->shift);
    r->score[j - lo] = s;
    r->undefined |= isnan (s) || s == INFINITY;
    r->max = s > r->max ? s : r->max;
  }
}

static inline void fill_plain (attn_type type, const kern_page *p, size_t i, size_t lo, size_t hi,
                               row_scores *r)
{
  bool overflow = false;
  for (size_t j = lo; j < hi && !r->undefined; j++) {
    double bias = kern_mask_value (p, i, j);
    double s = -INFINITY;
    if (bias != -INFINITY) {
      r->visible++;
      s = plain_score (type, p, i, j) + bias;
      if (!isfinite (s)) {
        bool finite = key_is_finite (p, i, j, bias);
        overflow |= finite;
        r->undefined |= !finite && s != -INFINITY;
      }
    }
    r->score[j - lo] = s;
    r->max = s > r->max ? s : r->max;
  }
  if (overflow && !r->undefined)
    fill_shifted (p, i, lo, hi, r);
}

/* weigh -- replaces the scores by the weights: exp (score - max) over their sum. */
static void weigh (const row_scores *r, size_t n)
{
  double sum = 0;
  for (size_t j = 0; j < n; j++) {
    double below = r->score[j] - r->max;
    r->score[j] = exp (r->shift == 0 ? below : ldexp (below, r->shift));
    sum += r->score[j];
  }
  for (size_t j = 0; j < n; j++)
    r->score[j] /= sum;
}

/* mean_in_range -- column C of the weighted mean of finite values that lie so close to the end of
 * the range that rounding carries their sum beyond it. */
static double mean_in_range (const kern_page *p, size_t c, size_t lo, size_t hi,
                             const double *weight)
{
  double half = 0;
  for (size_t j = lo; j < hi; j++)
    if (weight[j - lo] != 0)
      half += weight[j - lo] * (element (p->type, &p->v, j, c) / 2);
  if (isfinite (half) && fabs (half) > DBL_MAX / 2)
    return copysign (DBL_MAX, half);
  return half * 2;
}

/* average -- row I of Y = weight * V over the visible keys; a weight of zero still multiplies, so
 * that a visible NaN or infinity comes through. */
static inline void average (attn_type type, const kern_page *p, size_t i, size_t lo, size_t hi,
                            const double *weight, double *sum)
{
  for (size_t c = 0; c < p->dv; c++)
    sum[c] = 0;
  for (size_t j = lo; j < hi; j++)
    if (weight[j - lo] != 0 || kern_mask_value (p, i, j) != -INFINITY)
      for (size_t c = 0; c < p->dv; c++)
        sum[c] += weight[j - lo] * element (type, &p->v, j, c);
  for (size_t c = 0; c < p->dv; c++) {
    if (isinf (sum[c]))
      sum[c] = mean_in_range (p, c, lo, hi, weight);
    set_element (type, &p->y, i, c, sum[c]);
  }
}

/* write_constant -- row I of Y is VALUE; row I of W is VALUE at visible keys and 0 elsewhere. */
static void write_constant (const kern_page *p, size_t i, size_t lo, size_t hi, double value)
{
  if (p->y.data != NULL)
    for (size_t c = 0; c < p->dv; c++)
      set_element (p->type, &p->y, i, c, value);
  if (p->w.data != NULL)
    for (size_t j = 0; j < p->Nk; j++) {
      bool visible = j >= lo && j < hi && kern_mask_value (p, i, j) != -INFINITY;
      set_element (p->type, &p->w, i, j, visible ? value : 0);
    }
}

static inline void attention_row (attn_type type, const kern_page *p, size_t i, size_t lo,
                                  size_t hi, double *scratch)
{
  row_scores r = {.score = scratch, .max = -INFINITY};
  fill_plain (type, p, i, lo, hi, &r);
  if (r.visible == 0) {
    write_constant (p, i, lo, hi, 0);
    return;
  }
  if (r.undefined || r.max == -INFINITY) {
    write_constant (p, i, lo, hi, NAN);
    return;
  }
  weigh (&r, hi - lo);
  if (p->w.data != NULL)
    for (size_t j = 0; j < p->Nk; j++)
      set_element (type, &p->w, i, j, j >= lo && j < hi ? r.score[j - lo] : 0);
  if (p->y.data != NULL)
    average (type, p, i, lo, hi, r.score, scratch + p->Nk);
}

size_t kern_attention_row_scratch (const kern_page *p)
{
  return size_plus (p->Nk, p->dv);
}

void kern_attention_row (const kern_page *p, size_t i, size_t lo, size_t hi, double *scratch)
{
  if (p->type == ATTN_F32)
    attention_row (ATTN_F32, p, i, lo, hi, scratch);
  else
    attention_row (ATTN_F64, p, i, lo, hi, scratch);
}
