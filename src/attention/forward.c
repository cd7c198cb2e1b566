#include "attention/problem.h"

#include "base/alloc.h"

attn_status attn_attention_forward (const attn_attention *a, const attn_run *run, attn_error *err)
{
  attn_status status = attention_check (a, err);
  if (status != ATTN_OK)
    return status;
  size_t pages = attention_pages (a);
  if (pages == 0 || a->Nq == 0)
    return ATTN_OK;

  kern_page first = attention_page (a, 0);
  size_t count = kern_attention_row_scratch (&first);
  double *scratch = attn_alloc (count, sizeof *scratch);
  if (scratch == NULL)
    return attn_no_memory (err, "a row of scores", count, sizeof *scratch);
  for (size_t n = 0; n < pages && status == ATTN_OK; n++) {
    kern_page page = attention_page (a, n);
    for (size_t i = 0; i < a->Nq; i++) {
      key_range range = visible_range (a, i);
      kern_attention_row (&page, i, range.lo, range.hi, scratch);
    }
    if (run != NULL && run->interrupted != NULL && run->interrupted (run->interrupted_data) != 0)
      status = attn_fail (err, ATTN_E_INTERRUPTED, "interrupted");
  }
  attn_free (scratch);
  return status;
}
