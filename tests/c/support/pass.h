/* A forward pass with everything captured, for tests of it. */
#ifndef TEST_SUPPORT_PASS_H
#define TEST_SUPPORT_PASS_H

#include "attn/gpt2.h"

/* Results laid out as attn_gpt2_request has them; one block each, from malloc. */
typedef struct {
  size_t T, T_all, layers;
  size_t attention_size, hidden_size, logits_size; /* numbers */
  float *attention, *hidden, *logits;              /* logits NULL when the pass stopped early */
  float **matrices;                                /* L*H pointers into `attention` */
} full_pass;

/* full_pass_run -- T tokens through `layers` blocks (0 = all) with the given heads replaced or
 * ablated (NULL = none); fails the test when the pass fails. */
full_pass full_pass_run (const attn_gpt2 *model, const int32_t *ids, size_t T, size_t layers,
                         attn_gpt2_cache *cache, const float *const *replace,
                         const unsigned char *ablate);
void full_pass_free (full_pass *pass);

/* assert_close -- |a - b| <= tolerance * max |b| for all n numbers. */
void assert_close (const float *a, const double *b, size_t n, double tolerance);

/* assert_same -- n floats with the same bits. */
void assert_same (const float *a, const float *b, size_t n);

/* assert_near -- |a - b| <= tolerance * max |b| for all n numbers. */
void assert_near (const float *a, const float *b, size_t n, double tolerance);

#endif
