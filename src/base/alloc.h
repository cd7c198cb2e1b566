/* All memory of the core comes from here, so that tests can link an allocator that fails on the
 * n-th call in place of alloc.c. */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>
#include "attn/status.h"

enum { ATTN_ALIGNMENT = 64 }; /* bytes: one cache line, one AVX-512 vector */

/* attn_alloc -- COUNT elements of SIZE bytes, aligned to ATTN_ALIGNMENT, not initialised; room for
 * one element when COUNT is 0.  NULL when the product overflows or memory is short. */
void *attn_alloc (size_t count, size_t size);

/* attn_alloc_zero -- the same, filled with zeros. */
void *attn_alloc_zero (size_t count, size_t size);

/* attn_grow -- doubles *CAPACITY elements of *BLOCK (NULL at first) until NEEDED fit.
 * Errors: ATTN_E_NOMEM; the block is as before then. */
attn_status attn_grow (void *block, size_t *capacity, size_t needed, size_t size, attn_error *err);

/* attn_free -- NULL is accepted. */
void attn_free (void *block);

/* attn_no_memory -- the one wording of running out of memory, for WHAT of COUNT elements. */
attn_status attn_no_memory (attn_error *err, const char *what, size_t count, size_t size);

#endif
