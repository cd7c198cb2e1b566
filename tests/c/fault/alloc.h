/* An allocator that fails on demand, linked in place of src/base/alloc.c. */
#ifndef TEST_FAULT_ALLOC_H
#define TEST_FAULT_ALLOC_H

/* fault_set -- the COUNTDOWN-th attn_alloc from now (from 1) fails, and only that one; 0 or less:
 * none.  Restarts the count of calls. */
void fault_set (long countdown);

/* fault_count -- calls of attn_alloc since fault_set. */
long fault_count (void);

/* fault_live -- blocks allocated and not yet freed. */
long fault_live (void);

#endif
