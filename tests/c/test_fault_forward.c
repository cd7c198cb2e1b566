/* Every allocation of a forward pass, a cache and a draw fails once: a clean error, nothing leaks,
 * and the cache keeps its tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fault/alloc.h"
#include "support/small_gpt2.h"

enum { T = 5, FIRST = 3, ATTEMPTS_MAX = 10000 };

/* generate -- FIRST tokens, then the others with their logits and weights, then one draw. */
static attn_status generate (const attn_gpt2 *model, attn_gpt2_cache **cache, attn_error *err)
{
  int32_t ids[T], next;
  float logits[(T - FIRST) * 101], weights[(T - FIRST) * T], *capture[12] = {NULL};
  attn_gpt2_request nothing = {0};
  attn_gpt2_request all = {.logits = logits, .attention = capture};
  attn_run run = {.threads = 1};
  attn_random random;
  attn_random_seed (&random, 1);
  attn_sampling sampling = {1, 5, .9};
  capture[2] = weights;
  small_gpt2_ids (model, ids, T, 3);
  attn_status status = attn_gpt2_cache_create (cache, model, T, err);
  if (status == ATTN_OK)
    status = attn_gpt2_forward (model, ids, FIRST, *cache, &nothing, &run, err);
  if (status == ATTN_OK)
    status = attn_gpt2_forward (model, ids + FIRST, T - FIRST, *cache, &all, &run, err);
  if (status == ATTN_OK)
    status = attn_sample (logits + 101, 101, &sampling, &random, &next, err);
  return status;
}

static void every_allocation (void **state)
{
  (void)state;
  attn_gpt2 *model = small_gpt2_create (small_gpt2_config (), 1);
  attn_status status = ATTN_E_NOMEM;
  long failing = 0;
  while (status != ATTN_OK) {
    attn_gpt2_cache *cache = NULL;
    attn_error err = {""};
    long live = fault_live ();
    failing++;
    assert_true (failing < ATTEMPTS_MAX);
    fault_set (failing);
    status = generate (model, &cache, &err);
    fault_set (0);
    if (status != ATTN_OK) {
      assert_int_equal (status, ATTN_E_NOMEM);
      assert_non_null (strstr (err.text, "out of memory"));
    }
    if (cache != NULL) {
      size_t tokens = attn_gpt2_cache_tokens (cache);
      assert_true (tokens == 0 || tokens == FIRST || tokens == T);
    }
    attn_gpt2_cache_free (&cache);
    assert_int_equal (fault_live (), live);
  }
  /* Three blocks of the cache, two passes with their attention, two of the draw. */
  assert_true (failing > 7);
  small_gpt2_free (model);
}

int main (void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test (every_allocation)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
