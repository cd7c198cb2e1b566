#include <math.h>

#include "attn/gpt2.h"
#include "base/alloc.h"
#include "base/size.h"

/* Ids that may still be drawn.  The first `heap` of `ids` are a heap with the likeliest id at the
 * root; ids taken out of it follow behind, so that the likeliest stands last. */
typedef struct {
  int32_t *ids; /* V */
  double *odds; /* V: exp ((logit - largest)/temperature), by id */
  size_t V, heap;
} candidates;

/* likelier -- order of the ids: larger odds first, then the lower id. */
static int likelier (const candidates *c, int32_t a, int32_t b)
{
  return c->odds[a] > c->odds[b] || (c->odds[a] == c->odds[b] && a < b);
}

static void sift_down (candidates *c, size_t at)
{
  int32_t id = c->ids[at];
  for (size_t child; (child = 2 * at + 1) < c->heap; at = child) {
    if (child + 1 < c->heap && likelier (c, c->ids[child + 1], c->ids[child]))
      child++;
    if (!likelier (c, c->ids[child], id))
      break;
    c->ids[at] = c->ids[child];
  }
  c->ids[at] = id;
}

static int32_t take_likeliest (candidates *c)
{
  int32_t id = c->ids[0];
  c->heap--;
  c->ids[0] = c->ids[c->heap];
  c->ids[c->heap] = id;
  if (c->heap > 0)
    sift_down (c, 0);
  return id;
}

/* cut -- takes the candidates that top_k and top_p leave out of the heap; *total becomes their
 * odds.  The ids taken for top_k stand behind the heap in falling order from the end. */
static void cut (candidates *c, const attn_sampling *sampling, double *total)
{
  size_t k = sampling->top_k > 0 ? size_min (sampling->top_k, c->V) : c->V;
  if (k == c->V && sampling->top_p >= 1) {
    c->heap = 0;
    return;
  }
  for (size_t i = c->V / 2; i-- > 0;)
    sift_down (c, i);
  if (k < c->V) {
    *total = 0;
    for (size_t i = 0; i < k; i++)
      *total += c->odds[take_likeliest (c)];
  }
  if (sampling->top_p < 1) {
    double reached = 0, wanted = sampling->top_p * *total;
    size_t kept = 0;
    for (; kept < k && (kept == 0 || reached < wanted); kept++)
      reached += c->odds[k < c->V ? c->ids[c->V - 1 - kept] : take_likeliest (c)];
    c->heap = c->V - kept;
    *total = reached;
  }
}

/* draw -- an id behind the heap, in proportion to its odds. */
static int32_t draw (const candidates *c, double total, attn_random *random)
{
  double left = attn_random_uniform (random) * total;
  int32_t id = c->ids[c->V - 1];
  for (size_t i = c->V; i-- > c->heap;) {
    double odds = c->odds[c->ids[i]];
    if (odds > 0)
      id = c->ids[i];
    if (left < odds)
      break;
    left -= odds;
  }
  return id;
}

static attn_status check_sampling (const attn_sampling *s, attn_error *err)
{
  if (!(s->temperature >= 0) || !isfinite (s->temperature))
    return attn_fail (err, ATTN_E_RANGE, "the temperature must be a number from 0, not %g",
                      s->temperature);
  if (!(s->top_p > 0 && s->top_p <= 1))
    return attn_fail (err, ATTN_E_RANGE, "top_p must be above 0 and at most 1, not %g", s->top_p);
  return ATTN_OK;
}

/* find_likeliest -- the first id with the largest logit. */
static attn_status find_likeliest (const float *logits, size_t V, int32_t *id, attn_error *err)
{
  size_t best = 0;
  for (size_t i = 0; i < V; i++) {
    if (isnan (logits[i]))
      return attn_fail (err, ATTN_E_RANGE, "the logit of id %zu is not a number", i);
    if (logits[i] > logits[best])
      best = i;
  }
  if (V == 0 || !isfinite (logits[best]))
    return attn_fail (err, ATTN_E_RANGE, "the largest logit must be finite");
  *id = (int32_t)best;
  return ATTN_OK;
}

attn_status attn_sample (const float *logits, size_t V, const attn_sampling *sampling,
                         attn_random *random, int32_t *id, attn_error *err)
{
  int32_t likeliest = 0;
  attn_status status = check_sampling (sampling, err);
  if (status == ATTN_OK)
    status = find_likeliest (logits, V, &likeliest, err);
  if (status != ATTN_OK)
    return status;
  if (sampling->temperature == 0 || sampling->top_k == 1) {
    *id = likeliest;
    return ATTN_OK;
  }

  candidates c = {.V = V, .heap = V};
  c.ids = attn_alloc (V, sizeof *c.ids);
  c.odds = attn_alloc (V, sizeof *c.odds);
  if (c.ids == NULL || c.odds == NULL) {
    status = attn_no_memory (err, "the candidates of a draw", V, sizeof *c.odds);
    goto done;
  }
  double total = 0;
  for (size_t i = 0; i < V; i++) {
    c.ids[i] = (int32_t)i;
    c.odds[i] = exp (((double)logits[i] - (double)logits[likeliest]) / sampling->temperature);
    total += c.odds[i];
  }
  cut (&c, sampling, &total);
  *id = draw (&c, total, random);

done:
  attn_free (c.ids);
  attn_free (c.odds);
  return status;
}
