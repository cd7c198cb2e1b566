/* The part of base/alloc.h that is built on attn_alloc and attn_free. */
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

void *attn_alloc_zero (size_t count, size_t size)
{
  void *block = attn_alloc (count, size);
  if (block != NULL)
    memset (block, 0, (count > 0 ? count : 1) * size);
  return block;
}

attn_status attn_no_memory (attn_error *err, const char *what, size_t count, size_t size)
{
  return attn_fail (err, ATTN_E_NOMEM, "out of memory: %s needs %zu elements of %zu bytes", what,
                    count, size);
}

attn_status attn_grow (void *block, size_t *capacity, size_t needed, size_t size, attn_error *err)
{
  void *old;
  memcpy (&old, block, sizeof old);
  if (needed <= *capacity && old != NULL)
    return ATTN_OK;
  size_t larger = *capacity > 0 ? *capacity : 16;
  while (larger < needed)
    if (!size_mul (larger, 2, &larger))
      return attn_no_memory (err, "a growing list", needed, size);
  void *fresh = attn_alloc (larger, size);
  if (fresh == NULL)
    return attn_no_memory (err, "a growing list", larger, size);
  if (old != NULL)
    memcpy (fresh, old, *capacity * size);
  attn_free (old);
  memcpy (block, &fresh, sizeof fresh);
  *capacity = larger;
  return ATTN_OK;
}
