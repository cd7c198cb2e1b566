#include "train/pass.h"

#include "base/alloc.h"
#include "base/size.h"
#include "train/layers.h"

/* Logits are made for this many tokens at a time: B*T rows of V would be the
 * largest array by far. */
enum { LOGIT_ROWS = 512 };

/* A list of arrays to carve from one block: first measured, then cut. */
typedef struct {
  real *base; /* NULL while measuring */
  size_t used;
  bool overflow;
} carver;

/* carve -- the next rows-by-columns array, on a cache line of its own. */
static real *carve (carver *c, size_t rows, size_t columns)
{
  size_t line = ATTN_ALIGNMENT / sizeof (real), size, padded;
  real *array = c->base != NULL ? c->base + c->used : NULL;
  if (!size_mul (rows, columns, &size) || !size_add (size, line - 1, &padded) ||
      !size_add (c->used, padded / line * line, &c->used))
    c->overflow = true;
  return array;
}

static void carve_block (carver *c, block_tape *b, size_t N, const attn_gpt2_config *config)
{
  size_t C = config->C, F = config->F;
  b->x = carve (c, N, C);
  b->normal1 = carve (c, N, C);
  b->qkv = carve (c, N, 3 * C);
  b->heads = carve (c, N, C);
  b->middle = carve (c, N, C);
  b->normal2 = carve (c, N, C);
  b->fc = carve (c, N, F);
  b->activated = carve (c, N, F);
}

static void carve_tape (carver *c, tape *t, const attn_gpt2_config *config)
{
  size_t C = config->C, F = config->F, N = t->N;
  for (size_t l = 0; l < config->L; l++)
    carve_block (c, &t->blocks[l], N, config);
  t->x = carve (c, N, C);
  t->normal = carve (c, N, C);
  t->logits = carve (c, t->logit_rows, config->V);
  t->dx = carve (c, N, C);
  t->dnormal = carve (c, N, C);
  t->dqkv = carve (c, N, 3 * C);
  t->dfc = carve (c, N, F);
  t->scratch = carve (c, layer_scratch_size (size_max (3 * C, F)), 1);
}

attn_status tape_reserve (tape *t, const attn_gpt2_config *config, size_t B, size_t T,
                          attn_error *err)
{
  if (t->memory != NULL && t->B == B && t->T == T)
    return ATTN_OK;
  tape_free (t);
  carver measure = {0};
  t->N = size_times (B, T);
  t->B = B;
  t->T = T;
  t->logit_rows = size_min (t->N, LOGIT_ROWS);
  t->blocks = attn_alloc (config->L, sizeof *t->blocks);
  t->losses = attn_alloc (t->N, sizeof *t->losses);
  if (t->blocks != NULL && t->losses != NULL) {
    carve_tape (&measure, t, config);
    if (!measure.overflow)
      t->memory = attn_alloc (measure.used, sizeof (real));
  }
  if (t->memory == NULL) {
    tape_free (t);
    return attn_no_memory (err, "the activations of one pass", measure.used, sizeof (real));
  }
  carve_tape (&(carver){.base = t->memory}, t, config);
  return ATTN_OK;
}

void tape_free (tape *t)
{
  attn_free (t->blocks);
  attn_free (t->losses);
  attn_free (t->memory);
  *t = (tape){0};
}
