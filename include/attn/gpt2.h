/* GPT-2 (Radford et al. 2019): loading, forward pass, key/value cache, sampling.
 * Weights are read from a folder in the Hugging Face layout (config.json, model.safetensors or its
 * shards, vocab.json and merges.txt). */
#ifndef ATTN_GPT2_H
#define ATTN_GPT2_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"
#include "attn/tokenizer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ATTN_GELU_TANH, /* gelu_new, gelu_pytorch_tanh: 0.5*x*(1 + tanh (sqrt(2/pi)*(x + 0.044715*x^3)))
                   */
  ATTN_GELU_ERF,  /* gelu: 0.5*x*(1 + erf (x/sqrt(2))) */
  ATTN_RELU       /* relu: max (x, 0) */
} attn_activation;

/* Geometry and settings, as config.json gives them. */
typedef struct {
  size_t L;           /* n_layer: blocks */
  size_t H;           /* n_head: heads a block; divides C */
  size_t C;           /* n_embd: width of a token vector */
  size_t F;           /* n_inner: width of the feed-forward layer, 4*C by default */
  size_t V;           /* vocab_size: rows of the token embedding */
  size_t T_max;       /* n_positions: rows of the position embedding */
  float norm_epsilon; /* layer_norm_epsilon */
  attn_activation activation;
  int scale_by_head_size; /* scale_attn_weights: divide scores by sqrt (C/H) */
  int scale_by_layer;     /* scale_attn_by_inverse_layer_idx: divide scores by the layer, from 1 */
  int tied_head;          /* the output projection is the token embedding */
} attn_gpt2_config;

typedef struct attn_gpt2 attn_gpt2;
typedef struct attn_gpt2_cache attn_gpt2_cache;

/* attn_gpt2_open -- opens the model in FOLDER.  Float32 tensors stay in the mapped file (no copy);
 * F16, BF16, F64 and unaligned ones are converted to float32 once.
 * out:     *model, to be closed by attn_gpt2_close.
 * Errors:  ATTN_E_MODEL_NOT_FOUND (folder or a file missing; named), ATTN_E_MODEL_CORRUPT (names
 * the file, the tensor or setting, what was expected and what came), ATTN_E_NOMEM. */
attn_status attn_gpt2_open (attn_gpt2 **model, const char *folder, attn_error *err);
void attn_gpt2_close (attn_gpt2 **model);

/* attn_gpt2_config_get, attn_gpt2_tokenizer_get -- borrowed from the model. */
const attn_gpt2_config *attn_gpt2_config_get (const attn_gpt2 *model);
const attn_tokenizer *attn_gpt2_tokenizer_get (const attn_gpt2 *model);

/* attn_gpt2_changed -- non-zero when a file of the model was replaced, resized, touched or removed
 * since it was opened.  Replaced or removed, the model goes on with what it has open; resized or
 * written to, it has to be closed and opened anew. */
int attn_gpt2_changed (const attn_gpt2 *model);

/* attn_gpt2_parameters -- number of trained parameters; a tied head counts once. */
size_t attn_gpt2_parameters (const attn_gpt2 *model);

/* What a forward pass is to give and to change.  Zero-fill for "nothing". */
typedef struct {
  size_t layers;           /* blocks to run, 1 to L; 0 = all L */
  float *const *attention; /* L*H pointers, [layer*H + head], each NULL or a T-by-T_all column-major
                              matrix to fill with attention weights (row = the token that looks) */
  const float *const *replace; /* NULL, or L*H pointers, each NULL or a T-by-T_all column-major
                               matrix used, and captured, in place of that head's weights */
  const unsigned char *ablate; /* NULL, or L*H flags; non-zero = that head's output is 0; what is
                                  captured are its weights all the same */
  float *hidden;      /* NULL, or C-by-T-by-(layers+1) column-major: embeddings, then the output
                         of each block run; after all L blocks the last slice is the one behind
                         the final layer norm */
  float *logits;      /* NULL, or V-by-(T - logits_from) column-major; needs layers = 0 or L */
  size_t logits_from; /* first token whose logits are wanted */
} attn_gpt2_request;

/* attn_gpt2_forward -- runs T tokens through the model.
 * in:      ids (T of them, each 0 to V-1), request, run (NULL = defaults).
 * in-out:  cache: NULL, or the keys and values of the tokens before; the T new ones are appended.
 *          T_all = tokens in the cache before the call + T; T_all <= T_max.
 * Errors:  ATTN_E_RANGE (an id, layers), ATTN_E_EMPTY_TEXT (T = 0), ATTN_E_TOO_LONG (names T_all
 * and T_max), ATTN_E_MODEL_CORRUPT (a file of weights became shorter, was written to or could not
 * be read since the model was opened), ATTN_E_NOMEM, ATTN_E_INTERRUPTED; the cache keeps its former
 * tokens then.
 * Cost:    about 2*P flops a token for P parameters, plus attention.
 * The process's action for SIGBUS is another one meanwhile; see base/fault_guard.h. */
attn_status attn_gpt2_forward (const attn_gpt2 *model, const int32_t *ids, size_t T,
                               attn_gpt2_cache *cache, const attn_gpt2_request *request,
                               const attn_run *run, attn_error *err);

/* attn_gpt2_cache_create -- room for the keys and values of up to T_capacity tokens (1 to T_max) of
 * one model; free with attn_gpt2_cache_free.  Errors: ATTN_E_TOO_LONG, ATTN_E_NOMEM. */
attn_status attn_gpt2_cache_create (attn_gpt2_cache **cache, const attn_gpt2 *model,
                                    size_t T_capacity, attn_error *err);
void attn_gpt2_cache_free (attn_gpt2_cache **cache);
size_t attn_gpt2_cache_tokens (const attn_gpt2_cache *cache);

/* How attn_sample picks the next id.  temperature 0 = the likeliest (lowest id on a tie). */
typedef struct {
  double temperature; /* >= 0 */
  size_t top_k;       /* keep the k likeliest; 0 = all */
  double top_p;       /* keep the likeliest that together reach p, 0 < p <= 1 */
} attn_sampling;

/* Generator xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. */
typedef struct {
  uint64_t s[4];
} attn_random;
void attn_random_seed (attn_random *random, uint64_t seed);
double attn_random_uniform (attn_random *random); /* [0, 1), 53 bits */

/* attn_sample -- draws an id from softmax (logits/temperature) cut by top_k, then top_p.
 * in: logits (V);  in-out: random;  out: *id.
 * Errors: ATTN_E_RANGE (temperature, top_p, or logits that are not numbers), ATTN_E_NOMEM. */
attn_status attn_sample (const float *logits, size_t V, const attn_sampling *sampling,
                         attn_random *random, int32_t *id, attn_error *err);

#ifdef __cplusplus
}
#endif

#endif
