#include "train/bpe_pairs.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/size.h"

enum { SLOTS_MIN = 1024 };

void bpe_pairs_free (bpe_pairs *p)
{
  attn_free (p->pairs);
  attn_free (p->slots);
  attn_free (p->places);
  attn_free (p->raised);
  attn_free (p->queue);
  *p = (bpe_pairs){0};
}

/* ---- table ---- */

/* slot_of -- the slot that holds the pair, or the free one where it would go. */
static uint32_t *slot_of (const bpe_pairs *p, int32_t left, int32_t right)
{
  size_t mask = p->slot_count - 1;
  /* Fibonacci hashing (Knuth, volume 3, section 6.4): multiply by 2^64 over the golden ratio. */
  uint64_t hash = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9e3779b97f4a7c15u;
  size_t slot = (size_t)(hash ^ hash >> 32) & mask;
  for (; p->slots[slot] != 0; slot = (slot + 1) & mask) {
    const bpe_pair *pair = &p->pairs[p->slots[slot] - 1];
    if (pair->left == left && pair->right == right)
      break;
  }
  return &p->slots[slot];
}

static attn_status grow_slots (bpe_pairs *p, attn_error *err)
{
  if (2 * (p->size + 1) <= p->slot_count)
    return ATTN_OK;
  size_t count = p->slot_count > 0 ? 2 * p->slot_count : SLOTS_MIN;
  uint32_t *slots = attn_alloc_zero (count, sizeof *slots);
  if (slots == NULL)
    return attn_no_memory (err, "the pairs of a text", count, sizeof *slots);
  attn_free (p->slots);
  p->slots = slots;
  p->slot_count = count;
  for (size_t i = 0; i < p->size; i++)
    *slot_of (p, p->pairs[i].left, p->pairs[i].right) = (uint32_t)(i + 1);
  return ATTN_OK;
}

/* find_or_add -- index of the pair. */
static attn_status find_or_add (bpe_pairs *p, int32_t left, int32_t right, uint32_t *index,
                                attn_error *err)
{
  attn_status status = grow_slots (p, err);
  if (status == ATTN_OK)
    status = attn_grow (&p->pairs, &p->capacity, p->size + 1, sizeof *p->pairs, err);
  if (status != ATTN_OK)
    return status;
  uint32_t *slot = slot_of (p, left, right);
  if (*slot == 0) {
    p->pairs[p->size++] = (bpe_pair){.left = left, .right = right, .places = BPE_NO_PLACE};
    *slot = (uint32_t)p->size;
  }
  *index = *slot - 1;
  return ATTN_OK;
}

attn_status bpe_pairs_add (bpe_pairs *p, int32_t left, int32_t right, uint32_t word, size_t count,
                           attn_error *err)
{
  uint32_t index;
  attn_status status = find_or_add (p, left, right, &index, err);
  if (status == ATTN_OK)
    status = attn_grow (&p->places, &p->place_capacity, p->place_count + 1, sizeof *p->places, err);
  if (status == ATTN_OK)
    status =
        attn_grow (&p->raised, &p->raised_capacity, p->raised_count + 1, sizeof *p->raised, err);
  if (status != ATTN_OK)
    return status;
  bpe_pair *pair = &p->pairs[index];
  pair->count += count;
  if (!pair->raised)
    p->raised[p->raised_count++] = index;
  pair->raised = true;
  if (pair->places == BPE_NO_PLACE || p->places[pair->places].word != word) {
    p->places[p->place_count] = (bpe_place){.word = word, .next = pair->places};
    pair->places = (uint32_t)p->place_count++;
  }
  return ATTN_OK;
}

void bpe_pairs_subtract (bpe_pairs *p, int32_t left, int32_t right, size_t count)
{
  uint32_t index = *slot_of (p, left, right);
  assert (index != 0 && p->pairs[index - 1].count >= count);
  p->pairs[index - 1].count -= count;
}

/* ---- queue ---- */

/* before -- whether A is to be taken before B. */
static bool before (const bpe_pairs *p, bpe_queued a, bpe_queued b)
{
  const bpe_pair *x = &p->pairs[a.pair];
  const bpe_pair *y = &p->pairs[b.pair];
  if (a.count != b.count)
    return a.count > b.count;
  return x->left != y->left ? x->left < y->left : x->right < y->right;
}

static void push (bpe_pairs *p, bpe_queued entry)
{
  size_t at = p->queue_size++;
  for (; at > 0 && before (p, entry, p->queue[(at - 1) / 2]); at = (at - 1) / 2)
    p->queue[at] = p->queue[(at - 1) / 2];
  p->queue[at] = entry;
}

static bpe_queued pop (bpe_pairs *p)
{
  bpe_queued top = p->queue[0];
  bpe_queued last = p->queue[--p->queue_size];
  size_t at = 0, child;
  while ((child = 2 * at + 1) < p->queue_size) {
    if (child + 1 < p->queue_size && before (p, p->queue[child + 1], p->queue[child]))
      child++;
    if (!before (p, p->queue[child], last))
      break;
    p->queue[at] = p->queue[child];
    at = child;
  }
  p->queue[at] = last;
  return top;
}

attn_status bpe_pairs_queue (bpe_pairs *p, attn_error *err)
{
  attn_status status =
      attn_grow (&p->queue, &p->queue_capacity, size_plus (p->queue_size, p->raised_count),
                 sizeof *p->queue, err);
  if (status != ATTN_OK)
    return status;
  for (size_t i = 0; i < p->raised_count; i++) {
    bpe_pair *pair = &p->pairs[p->raised[i]];
    pair->raised = false;
    if (pair->count > 0)
      push (p, (bpe_queued){.count = pair->count, .pair = p->raised[i]});
  }
  p->raised_count = 0;
  return ATTN_OK;
}

/* Counts that fell since an entry was made are put right when it comes up; counts that rose have an
 * entry of their own. */
bool bpe_pairs_best (bpe_pairs *p, uint32_t *best)
{
  while (p->queue_size > 0) {
    bpe_queued top = pop (p);
    size_t count = p->pairs[top.pair].count;
    if (count == top.count) {
      *best = top.pair;
      return true;
    }
    if (count > 0 && count < top.count)
      push (p, (bpe_queued){.count = count, .pair = top.pair});
  }
  return false;
}
