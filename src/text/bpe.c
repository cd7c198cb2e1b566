#include "text/bpe.h"

#include "base/alloc.h"
#include "base/size.h"

void bpe_free (bpe_scratch *scratch)
{
  attn_free (scratch->symbols);
  attn_free (scratch->heap);
  attn_free (scratch->merged);
  *scratch = (bpe_scratch){0};
}

/* reserve -- memory for a word of BYTES bytes.  The heap gets at most one entry a pair at the start
 * and two a merge, and there are fewer merges than bytes. */
static attn_status reserve (bpe_scratch *s, size_t bytes, attn_error *err)
{
  attn_status status;
  size_t entries;
  if (!size_mul (bytes, 3, &entries))
    return attn_no_memory (err, "a word", bytes, sizeof *s->heap);
  status = attn_grow (&s->symbols, &s->symbols_capacity, bytes, sizeof *s->symbols, err);
  if (status == ATTN_OK)
    status = attn_grow (&s->heap, &s->heap_capacity, entries, sizeof *s->heap, err);
  if (status == ATTN_OK)
    status = attn_grow (&s->merged, &s->merged_capacity, bytes, sizeof *s->merged, err);
  return status;
}

/* ---- heap ---- */

static void heap_push (bpe_scratch *s, uint64_t entry)
{
  size_t at = s->heap_size++;
  for (; at > 0 && s->heap[(at - 1) / 2] > entry; at = (at - 1) / 2)
    s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = entry;
}

static uint64_t heap_pop (bpe_scratch *s)
{
  uint64_t top = s->heap[0];
  uint64_t last = s->heap[--s->heap_size];
  size_t at = 0, child;
  while ((child = 2 * at + 1) < s->heap_size) {
    if (child + 1 < s->heap_size && s->heap[child + 1] < s->heap[child])
      child++;
    if (s->heap[child] >= last)
      break;
    s->heap[at] = s->heap[child];
    at = child;
  }
  s->heap[at] = last;
  return top;
}

/* ---- merging ---- */

/* rank_pair -- finds the rule for symbol AT and the next one and puts it on the heap. */
static void rank_pair (const merges *m, bpe_scratch *s, uint32_t at)
{
  bpe_symbol *symbol = &s->symbols[at];
  symbol->rank = MERGE_NONE;
  if (symbol->next == BPE_END)
    return;
  const merge_rule *rule = merges_find (m, symbol->id, s->symbols[symbol->next].id);
  if (rule == NULL)
    return;
  symbol->rank = rule->rank;
  heap_push (s, (uint64_t)rule->rank << 32 | at);
}

/* merge_next -- symbol AT swallows the next one and becomes the merged token. */
static void merge_next (const merges *m, bpe_scratch *s, uint32_t at)
{
  bpe_symbol *left = &s->symbols[at];
  bpe_symbol *right = &s->symbols[left->next];
  left->id = merges_find (m, left->id, right->id)->merged;
  left->rank = MERGE_NONE;
  left->next = right->next;
  right->rank = MERGE_NONE;
  if (left->next != BPE_END)
    s->symbols[left->next].previous = at;
  if (left->previous != BPE_END)
    s->symbols[left->previous].rank = MERGE_NONE;
}

/* apply_lowest -- applies the rule on top of the heap to all its pairs.  New pairs are looked at
 * only after that, so that a rule of lower rank which they bring does not come in between. */
static void apply_lowest (const merges *m, bpe_scratch *s)
{
  uint64_t rank = s->heap[0] >> 32;
  size_t count = 0;
  while (s->heap_size > 0 && s->heap[0] >> 32 == rank) {
    uint32_t at = (uint32_t)heap_pop (s);
    if (s->symbols[at].rank != rank)
      continue; /* the pair is no longer there */
    merge_next (m, s, at);
    s->merged[count++] = at;
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t at = s->merged[i];
    uint32_t previous = s->symbols[at].previous;
    if (previous != BPE_END)
      rank_pair (m, s, previous);
    rank_pair (m, s, at);
  }
}

attn_status bpe_encode (const merges *m, const int32_t byte_ids[256], const char *word,
                        size_t bytes, bpe_scratch *scratch, int32_t *ids, size_t *count,
                        attn_error *err)
{
  attn_status status = reserve (scratch, bytes, err);
  if (status != ATTN_OK)
    return status;
  uint32_t n = (uint32_t)bytes;
  for (uint32_t i = 0; i < n; i++)
    scratch->symbols[i] = (bpe_symbol){.id = byte_ids[(unsigned char)word[i]],
                                       .rank = MERGE_NONE,
                                       .previous = i > 0 ? i - 1 : BPE_END,
                                       .next = i + 1 < n ? i + 1 : BPE_END};
  scratch->heap_size = 0;
  for (uint32_t i = 0; i < n; i++)
    rank_pair (m, scratch, i);
  while (scratch->heap_size > 0)
    apply_lowest (m, scratch);

  *count = 0;
  for (uint32_t i = 0; i != BPE_END; i = scratch->symbols[i].next)
    ids[(*count)++] = scratch->symbols[i].id;
  return ATTN_OK;
}
