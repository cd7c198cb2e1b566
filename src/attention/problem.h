/* A checked attention call, page by page. */
#ifndef ATTENTION_PROBLEM_H
#define ATTENTION_PROBLEM_H

#include "attn/attention.h"
#include "kernel/kern.h"

/* attention_check -- errors: ATTN_E_RANGE (scale), ATTN_E_SIZE (page counts, products of sizes). */
attn_status attention_check (const attn_attention *a, attn_error *err);

/* element_bytes -- of one element of the call's type. */
size_t element_bytes (const attn_attention *a);

/* attention_pages, attention_kv_pages -- pages of Q, and of K and V, in all three dimensions. */
size_t attention_pages (const attn_attention *a);
size_t attention_kv_pages (const attn_attention *a);

/* attention_page -- page number PAGE, from 0, with the pages that share a key/value page next to
 * one another: page / (pages/kv_pages) numbers the key/value page. */
kern_page attention_page (const attn_attention *a, size_t page);

typedef kern_range key_range;

/* visible_range -- the keys that causal and the window let query I see. */
key_range visible_range (const attn_attention *a, size_t i);

#endif
