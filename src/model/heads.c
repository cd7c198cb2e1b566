#include "model/heads.h"

#include <math.h>
#include <string.h>

#include "attn/attention.h"
#include "model/layers.h"

/* What is left to do for one head. */
typedef struct {
  const float *replacement; /* NULL = compute the weights */
  float *w;                 /* NULL = not captured */
  bool y;                   /* the output is wanted */
} head_plan;

static head_plan plan_head (const heads_job *job, size_t h)
{
  head_plan plan = {.y = job->y != NULL};
  if (job->ablate != NULL && job->ablate[h])
    plan.y = false;
  if (job->replace != NULL)
    plan.replacement = job->replace[h];
  if (job->capture != NULL)
    plan.w = job->capture[h];
  return plan;
}

static bool computes (const head_plan *plan)
{
  return plan->replacement == NULL && (plan->y || plan->w != NULL);
}

/* distance -- from one captured matrix to the next in elements; 0 when there is none or when they
 * do not lie one behind the other. */
static size_t distance (const float *from, const float *to, size_t size)
{
  if (from == NULL || to == NULL)
    return 0;
  uintptr_t a = (uintptr_t)from, b = (uintptr_t)to;
  if (b <= a || (b - a) % sizeof (float) != 0 || (b - a) / sizeof (float) < size)
    return 0;
  return (b - a) / sizeof (float);
}

/* equal_heads -- how many heads from FIRST on one call can do: all computed, with the same outputs
 * wanted, and captured at equal distances. */
static size_t equal_heads (const heads_job *job, size_t first, size_t *step)
{
  const head_plan plan = plan_head (job, first);
  head_plan last = plan;
  size_t count = 1;
  *step = 0;
  for (size_t h = first + 1; h < job->config->H; h++, count++) {
    head_plan next = plan_head (job, h);
    if (!computes (&next) || next.y != plan.y || (next.w == NULL) != (plan.w == NULL))
      break;
    size_t apart = distance (last.w, next.w, job->T * job->T_all);
    if (plan.w != NULL && (apart == 0 || (count > 1 && apart != *step)))
      break;
    *step = apart;
    last = next;
  }
  return count;
}

/* score_scale -- what the products of queries and keys are multiplied by. */
static double score_scale (const attn_gpt2_config *config, size_t layer)
{
  double scale = 1;
  if (config->scale_by_head_size)
    scale /= sqrt ((double)(config->C / config->H));
  if (config->scale_by_layer)
    scale /= (double)(layer + 1);
  return scale;
}

static attn_view rows_of (const float *data, size_t row, size_t d)
{
  return (attn_view){.data = (void *)(uintptr_t)data,
                     .row_stride = row,
                     .col_stride = 1,
                     .page_stride = {d, 0, 0}};
}

static attn_status compute (const heads_job *job, size_t first, size_t count, size_t step,
                            const attn_run *run, attn_error *err)
{
  const size_t d = job->config->C / job->config->H;
  const head_plan plan = plan_head (job, first);
  attn_attention a;
  attn_attention_init (&a, ATTN_F32, job->T, job->T_all, d, d);
  a.pages[0] = a.kv_pages[0] = count;
  a.q = rows_of (job->q + first * d, job->q_row, d);
  a.k = rows_of (job->k + first * d, job->kv_row, d);
  a.v = rows_of (job->v + first * d, job->kv_row, d);
  a.y = (attn_view){0};
  a.w = (attn_view){0};
  if (plan.y)
    a.y = rows_of (job->y + first * d, job->config->C, d);
  if (plan.w != NULL)
    a.w = (attn_view){
        .data = plan.w, .row_stride = 1, .col_stride = job->T, .page_stride = {step, 0, 0}};
  a.scale = score_scale (job->config, job->layer);
  a.causal = 1;
  return attn_attention_forward (&a, run, err);
}

/* replace -- head H with the weights that were given. */
static void replace (const heads_job *job, size_t h, const head_plan *plan)
{
  const size_t d = job->config->C / job->config->H;
  if (plan->y)
    forward_weighted_sum (plan->replacement, job->v + h * d, job->kv_row, job->y + h * d,
                          job->config->C, job->T, job->T_all, d);
  if (plan->w != NULL)
    memmove (plan->w, plan->replacement, job->T * job->T_all * sizeof *plan->w);
}

attn_status heads_forward (const heads_job *job, const attn_run *run, attn_error *err)
{
  const size_t H = job->config->H, C = job->config->C, d = C / H;
  attn_status status = ATTN_OK;
  for (size_t h = 0; h < H && status == ATTN_OK;) {
    head_plan plan = plan_head (job, h);
    size_t step = 0, count = 1;
    if (computes (&plan)) {
      count = equal_heads (job, h, &step);
      status = compute (job, h, count, step, run, err);
    } else if (plan.replacement != NULL)
      replace (job, h, &plan);
    for (size_t i = h; job->y != NULL && !plan.y && i < h + count; i++)
      for (size_t t = 0; t < job->T; t++)
        memset (job->y + t * C + i * d, 0, d * sizeof *job->y);
    h += count;
  }
  return status;
}
