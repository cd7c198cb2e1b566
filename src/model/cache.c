#include "model/cache.h"

#include "base/alloc.h"
#include "base/size.h"
#include "model/model.h"

attn_status attn_gpt2_cache_create (attn_gpt2_cache **cache, const attn_gpt2 *model,
                                    size_t T_capacity, attn_error *err)
{
  const attn_gpt2_config *config = &model->config;
  if (T_capacity == 0 || T_capacity > config->T_max)
    return attn_fail (err, ATTN_E_TOO_LONG,
                      "a key/value cache holds 1 to %zu tokens of this model, not %zu",
                      config->T_max, T_capacity);
  const size_t numbers = size_times (size_times (config->L, T_capacity), config->C);

  attn_status status = ATTN_OK;
  attn_gpt2_cache *c = attn_alloc_zero (1, sizeof *c);
  if (c == NULL)
    return attn_no_memory (err, "the key/value cache", 1, sizeof *c);
  *c = (attn_gpt2_cache){.L = config->L, .C = config->C, .T_capacity = T_capacity};
  c->keys = attn_alloc (numbers, sizeof *c->keys);
  c->values = attn_alloc (numbers, sizeof *c->values);
  if (c->keys == NULL || c->values == NULL) {
    status = attn_no_memory (err, "the key/value cache", numbers, sizeof (float));
    attn_gpt2_cache_free (&c);
  }
  if (status == ATTN_OK)
    *cache = c;
  return status;
}

void attn_gpt2_cache_free (attn_gpt2_cache **cache)
{
  if (cache == NULL || *cache == NULL)
    return;
  attn_free ((*cache)->keys);
  attn_free ((*cache)->values);
  attn_free (*cache);
  *cache = NULL;
}

size_t attn_gpt2_cache_tokens (const attn_gpt2_cache *cache)
{
  return cache->tokens;
}
