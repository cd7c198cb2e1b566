/* A small GPT-2 in memory, and a plain forward pass in double precision to compare with. */
#ifndef TEST_SUPPORT_SMALL_GPT2_H
#define TEST_SUPPORT_SMALL_GPT2_H

#include "model/model.h"

/* small_gpt2_config -- 3 blocks, 4 heads, width 40, feed-forward width 72,
 * 101 ids, 96 positions. */
attn_gpt2_config small_gpt2_config (void);

/* small_gpt2_create -- a model with random weights, the same for the same SEED; it has no tokenizer
 * and no files.  From malloc; free with small_gpt2_free. */
attn_gpt2 *small_gpt2_create (attn_gpt2_config config, unsigned seed);
void small_gpt2_free (attn_gpt2 *model);

/* small_gpt2_ids -- T ids of the model, the same for the same SEED. */
void small_gpt2_ids (const attn_gpt2 *model, int32_t *ids, size_t T, unsigned seed);

/* Results of the plain pass, from malloc, laid out as attn_gpt2_request has them. */
typedef struct {
  double *attention; /* T-by-T-by-H-by-L, column-major */
  double *hidden;    /* C-by-T-by-(L+1), column-major */
  double *logits;    /* V-by-T, column-major */
} plain_pass;

/* plain_forward -- one loop a formula.  ablate: NULL, or L*H flags. */
plain_pass plain_forward (const attn_gpt2 *model, const int32_t *ids, size_t T,
                          const unsigned char *ablate);
void plain_pass_free (plain_pass *pass);

#endif
