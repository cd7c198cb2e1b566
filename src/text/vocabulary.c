#include "text/vocabulary.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

enum { SLOTS_MIN = 1024 };

void vocabulary_free (vocabulary *v)
{
  attn_free (v->tokens);
  attn_free (v->bytes);
  attn_free (v->slots);
  *v = (vocabulary){0};
}

/* FNV-1a (Fowler, Noll and Vo), 64 bits, of which the better half is kept. */
static uint32_t hash_of (const char *token, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)token[i]) * 0x100000001b3u;
  return (uint32_t)(hash ^ hash >> 32);
}

bool vocabulary_has (const vocabulary *v, int32_t id)
{
  return id >= 0 && (size_t)id < v->size && v->tokens[id].length > 0;
}

bool vocabulary_is (const vocabulary *v, int32_t id, const char *token, size_t length)
{
  return vocabulary_has (v, id) && v->tokens[id].length == length &&
         memcmp (v->bytes + v->tokens[id].start, token, length) == 0;
}

/* slot_of -- the slot that holds the token, or the free one where it would go. */
static vocabulary_slot *slot_of (const vocabulary *v, const char *token, size_t length,
                                 uint32_t hash)
{
  size_t mask = v->slot_count - 1, slot = hash & mask;
  while (v->slots[slot].id >= 0 &&
         (v->slots[slot].hash != hash || !vocabulary_is (v, v->slots[slot].id, token, length)))
    slot = (slot + 1) & mask;
  return &v->slots[slot];
}

int32_t vocabulary_find (const vocabulary *v, const char *token, size_t length)
{
  return v->slot_count > 0 ? slot_of (v, token, length, hash_of (token, length))->id : -1;
}

/* grow_slots -- makes room for one more token at a load of at most one half. */
static attn_status grow_slots (vocabulary *v, attn_error *err)
{
  if (2 * (v->used + 1) <= v->slot_count)
    return ATTN_OK;
  size_t count = v->slot_count > 0 ? 2 * v->slot_count : SLOTS_MIN;
  vocabulary_slot *slots = attn_alloc (count, sizeof *slots);
  if (slots == NULL)
    return attn_no_memory (err, "the vocabulary", count, sizeof *slots);
  memset (slots, 0xff, count * sizeof *slots); /* ids -1 */
  for (size_t i = 0; i < v->slot_count; i++)
    if (v->slots[i].id >= 0) {
      size_t slot = v->slots[i].hash & (count - 1);
      while (slots[slot].id >= 0)
        slot = (slot + 1) & (count - 1);
      slots[slot] = v->slots[i];
    }
  attn_free (v->slots);
  v->slots = slots;
  v->slot_count = count;
  return ATTN_OK;
}

attn_status vocabulary_add (vocabulary *v, int32_t id, const char *token, size_t length,
                            attn_error *err)
{
  assert (length > 0 && id >= 0 && id < VOCABULARY_MAX && !vocabulary_has (v, id));
  size_t needed_bytes, needed_ids = size_max (v->size, (size_t)id + 1);
  if (!size_add (v->bytes_used, length, &needed_bytes))
    return attn_no_memory (err, "the vocabulary", length, 1);
  attn_status status = attn_grow (&v->bytes, &v->bytes_capacity, needed_bytes, 1, err);
  if (status == ATTN_OK)
    status = attn_grow (&v->tokens, &v->capacity, needed_ids, sizeof *v->tokens, err);
  if (status == ATTN_OK)
    status = grow_slots (v, err);
  if (status != ATTN_OK)
    return status;
  uint32_t hash = hash_of (token, length);
  vocabulary_slot *slot = slot_of (v, token, length, hash);
  if (slot->id >= 0)
    return attn_fail (err, ATTN_E_RANGE, "the token appears twice");
  memset (v->tokens + v->size, 0, (needed_ids - v->size) * sizeof *v->tokens);
  v->size = needed_ids;
  memcpy (v->bytes + v->bytes_used, token, length);
  v->tokens[id] = (vocabulary_token){.start = v->bytes_used, .length = length};
  v->bytes_used = needed_bytes;
  *slot = (vocabulary_slot){.id = id, .hash = hash};
  v->used++;
  return ATTN_OK;
}
