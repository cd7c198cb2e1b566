#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"

void *attn_alloc (size_t count, size_t size)
{
  size_t bytes, padded;
  if (!size_mul (count > 0 ? count : 1, size, &bytes) ||
      !size_add (bytes, ATTN_ALIGNMENT - 1, &padded))
    return NULL;
  return aligned_alloc (ATTN_ALIGNMENT, padded - padded % ATTN_ALIGNMENT);
}

void attn_free (void *block)
{
  free (block);
}
