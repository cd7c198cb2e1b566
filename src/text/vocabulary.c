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

/* FNV-1a (Fowler, Noll and Vo), 64 bits. */
static uint64_t hash_of (const char *token, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)token[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

/* slot_of -- the slot that holds the token, or the free one where it would go. */
static size_t slot_of (const vocabulary *v, const char *token, size_t length)
{
  size_t mask = v->slot_count - 1;
  size_t slot = (size_t)hash_of (token, length) & mask;
  for (; v->slots[slot] >= 0; slot = (slot + 1) & mask) {
    const vocabulary_token *t = &v->tokens[v->slots[slot]];
    if (t->length == length && memcmp (v->bytes + t->start, token, length) == 0)
      break;
  }
  return slot;
}

int32_t vocabulary_find (const vocabulary *v, const char *token, size_t length)
{
  return v->slot_count > 0 ? v->slots[slot_of (v, token, length)] : -1;
}

bool vocabulary_has (const vocabulary *v, int32_t id)
{
  return id >= 0 && (size_t)id < v->size && v->tokens[id].length > 0;
}

/* grow_slots -- makes room for one more token at a load of at most one half. */
static attn_status grow_slots (vocabulary *v, attn_error *err)
{
  if (2 * (v->used + 1) <= v->slot_count)
    return ATTN_OK;
  size_t count = v->slot_count > 0 ? 2 * v->slot_count : SLOTS_MIN;
  int32_t *slots = attn_alloc (count, sizeof *slots);
  if (slots == NULL)
    return attn_no_memory (err, "the vocabulary", count, sizeof *slots);
  memset (slots, 0xff, count * sizeof *slots); /* -1 everywhere */
  attn_free (v->slots);
  v->slots = slots;
  v->slot_count = count;
  for (size_t id = 0; id < v->size; id++) {
    const vocabulary_token *t = &v->tokens[id];
    if (t->length > 0)
      slots[slot_of (v, v->bytes + t->start, t->length)] = (int32_t)id;
  }
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
  memset (v->tokens + v->size, 0, (needed_ids - v->size) * sizeof *v->tokens);
  v->size = needed_ids;
  memcpy (v->bytes + v->bytes_used, token, length);
  v->tokens[id] = (vocabulary_token){.start = v->bytes_used, .length = length};
  v->bytes_used = needed_bytes;
  v->slots[slot_of (v, token, length)] = id;
  v->used++;
  return ATTN_OK;
}
