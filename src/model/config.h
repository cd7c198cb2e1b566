/* config.json of a GPT-2: geometry, and the settings that change results.
 *
 * Which settings are accepted:
 *   - those of attn_gpt2_config, checked;
 *   - those that would make GPT-2 compute something else (cross attention, quantised weights, other
 *     position embeddings, code that comes with the model, ...): only at the value that means
 *     "off"; anything else is refused by name;
 *   - any other name is accepted and ignored, because no implementation of GPT-2 reads it: dropout
 *     rates, ids of special tokens, the version of the program that wrote the file, notes. */
#ifndef MODEL_CONFIG_H
#define MODEL_CONFIG_H

#include <stddef.h>
#include "attn/gpt2.h"

enum { GPT2_SIZE_MAX = 0x7fffffff }; /* of each size: ids are 32-bit */

/* gpt2_config_parse -- reads the BYTES bytes of TEXT; SOURCE names the file in messages.
 * Defaults, as in the reference implementation: n_inner 4*n_embd, layer_norm_epsilon 1e-5,
 * activation_function gelu_new, scale_attn_weights and tie_word_embeddings true,
 * scale_attn_by_inverse_layer_idx false.  n_ctx stands in for a missing n_positions; the other
 * sizes are required.
 * Errors:  ATTN_E_MODEL_CORRUPT (names the file and the setting), ATTN_E_NOMEM. */
attn_status gpt2_config_parse (attn_gpt2_config *config, const char *source, const char *text,
                               size_t bytes, attn_error *err);

/* gpt2_config_check -- sizes from 1 to GPT2_SIZE_MAX, heads that divide the channels, weights that
 * fit into the address space, an epsilon above 0.  SOURCE begins the message.
 * Errors:  STATUS, which is the caller's choice. */
attn_status gpt2_config_check (const attn_gpt2_config *config, const char *source,
                               attn_status status, attn_error *err);

/* activation_name -- the name in config.json. */
const char *activation_name (attn_activation activation);

#endif
