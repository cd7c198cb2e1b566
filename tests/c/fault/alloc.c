#include "fault/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/size.h"

static atomic_long fail_at, calls, live;

void fault_set (long countdown)
{
  atomic_store (&fail_at, countdown);
  atomic_store (&calls, 0);
}

long fault_count (void)
{
  return atomic_load (&calls);
}

long fault_live (void)
{
  return atomic_load (&live);
}

void *attn_alloc (size_t count, size_t size)
{
  long call = atomic_fetch_add (&calls, 1) + 1;
  size_t bytes, padded;
  if (call == atomic_load (&fail_at) || !size_mul (count > 0 ? count : 1, size, &bytes) ||
      !size_add (bytes, ATTN_ALIGNMENT - 1, &padded))
    return NULL;
  void *block = aligned_alloc (ATTN_ALIGNMENT, padded / ATTN_ALIGNMENT * ATTN_ALIGNMENT);
  if (block != NULL)
    atomic_fetch_add (&live, 1);
  return block;
}

void attn_free (void *block)
{
  if (block != NULL)
    atomic_fetch_sub (&live, 1);
  free (block);
}
