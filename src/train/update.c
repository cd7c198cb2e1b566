/* The optimiser, the learning rate and the choice of training rows. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "base/threads.h"
#include "train/layers.h"
#include "train/trainer.h"

/* Values a work item: large enough to hide the cost of handing it out. */
enum { UPDATE_ITEM = 65536 };

typedef struct {
  attn_trainer *trainer;
  const tensor *tensor;
  const kern_train *kernels;
  kern_adamw_step step;
} update_work;

static void update_item (void *context, size_t item, int thread)
{
  const update_work *w = context;
  attn_trainer *t = w->trainer;
  size_t begin = item * UPDATE_ITEM, n = size_min (UPDATE_ITEM, w->tensor->size - begin);
  size_t at = w->tensor->offset + begin;
  (void)thread;
  w->kernels->adamw (t->weights + at, t->moment1 + at, t->moment2 + at, t->gradient + at, n,
                     &w->step);
}

/* gradient_norm -- in double: the squares of float gradients may leave its range. */
static double gradient_norm (const attn_trainer *t)
{
  double sum = 0;
  for (size_t i = 0; i < t->map.elements; i++)
    sum += (double)t->gradient[i] * (double)t->gradient[i];
  return sqrt (sum);
}

attn_status attn_trainer_update (attn_trainer *trainer, const attn_adamw *options,
                                 double learning_rate, double *norm, const attn_run *run,
                                 attn_error *err)
{
  const parameter_map *map = &trainer->map;
  *norm = gradient_norm (trainer);
  if (!isfinite (*norm)) {
    memset (trainer->gradient, 0, map->elements * sizeof (real));
    return attn_fail (err, ATTN_E_DIVERGED,
                      "the gradient of step %zu is not a finite number: lower the learning rate "
                      "or clip the gradient",
                      trainer->steps + 1);
  }
  double step = (double)(trainer->steps + 1);
  bool clipped = options->clip > 0 && *norm > options->clip;
  parallel_team team;
  const attn_run with = parallel_team_open (&team, run);
  const layer_run layers = layer_run_of (&with);
  update_work work = {.trainer = trainer,
                      .kernels = layers.train,
                      .step = {.clip = clipped ? options->clip / *norm : 1,
                               .beta1 = options->beta1,
                               .beta2 = options->beta2,
                               .correction1 = 1 - pow (options->beta1, step),
                               .correction2 = 1 - pow (options->beta2, step),
                               .epsilon = options->epsilon,
                               .rate = learning_rate}};
  for (size_t i = 0; i < map->count; i++) {
    work.tensor = &map->list[i];
    work.step.decay = work.tensor->matrix ? options->weight_decay : 0;
    (void)parallel_for (size_ceil_div (work.tensor->size, UPDATE_ITEM), layers.workers.threads,
                        update_item, &work, &layers.workers, NULL);
  }
  parallel_team_close (&team);
  memset (trainer->gradient, 0, map->elements * sizeof (real));
  trainer->steps++;
  return ATTN_OK;
}

double attn_learning_rate (size_t step, size_t steps, size_t warmup, double peak, double floor)
{
  const double pi = 3.141592653589793;
  if (step < warmup)
    return peak * (double)(step + 1) / (double)warmup;
  if (step + 1 >= steps)
    return peak * floor;
  double progress = (double)(step - warmup) / (double)(steps - 1 - warmup);
  return peak * (floor + (1 - floor) * 0.5 * (1 + cos (pi * progress)));
}

/* random_below -- 0 to n-1; the bias of at most n/2^53 is far below what a training can see. */
static size_t random_below (attn_random *random, size_t n)
{
  return size_min ((size_t)(attn_random_uniform (random) * (double)n), n - 1);
}

attn_status attn_batch_draw (attn_random *random, const int32_t *tokens, size_t n,
                             const size_t *starts, size_t n_starts, double start_share, size_t B,
                             size_t T, int32_t *ids, int32_t *targets, attn_error *err)
{
  if (T == 0 || n <= T)
    return attn_fail (err, ATTN_E_RANGE, "rows of %zu tokens need a text of more; it has %zu", T,
                      n);
  for (size_t b = 0; b < B; b++) {
    size_t begin;
    if (n_starts > 0 && attn_random_uniform (random) < start_share)
      begin = starts[random_below (random, n_starts)];
    else
      begin = random_below (random, n - T);
    begin = size_min (begin, n - T - 1);
    memcpy (ids + b * T, tokens + begin, T * sizeof *ids);
    memcpy (targets + b * T, tokens + begin + 1, T * sizeof *targets);
  }
  return ATTN_OK;
}
