/* Training of GPT-2 models: loss, exact gradients, AdamW.
 *
 * The loss is the mean negative log-likelihood of the next token.  The optimiser is AdamW
 * (Loshchilov and Hutter 2019) with bias correction, gradients clipped to a global norm, weight
 * decay on matrices only; the learning rate of a step is the caller's (attn_learning_rate gives the
 * usual warm-up and cosine).  Results are the same bit for bit for the same seed, data, thread
 * count and processor type. */
#ifndef ATTN_TRAIN_H
#define ATTN_TRAIN_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"
#include "attn/gpt2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct attn_trainer attn_trainer;

typedef struct {
  double beta1, beta2, epsilon; /* AdamW moments, 0 <= beta < 1, epsilon > 0 */
  double weight_decay;          /* >= 0; on matrices, not on biases and layer norms */
  double clip;                  /* largest global norm of the gradient; 0 = no limit */
} attn_adamw;

/* What the weights of a fresh model follow from. */
typedef struct {
  uint64_t seed;
  double position_amplitude; /* of the sinusoids (Vaswani et al. 2017) that the positions start as;
                                0 = as random as the other weights */
} attn_fresh;

/* attn_trainer_create -- a model with fresh weights: normal, deviation 0.02 (0.02/sqrt(2*L) where a
 * block writes to the residual stream; Radford et al. 2019), biases 0, layer norms 1.
 * in:      config: geometry; tied_head must be set, scale_by_layer is allowed.
 * Errors:  ATTN_E_RANGE (geometry), ATTN_E_NOMEM. */
attn_status attn_trainer_create (attn_trainer **trainer, const attn_gpt2_config *config,
                                 const attn_fresh *fresh, attn_error *err);

/* attn_trainer_from_model -- starts from the weights of MODEL (borrowed for the call).
 * Errors:  those of attn_trainer_create, ATTN_E_MODEL_CORRUPT (as attn_gpt2_forward). */
attn_status attn_trainer_from_model (attn_trainer **trainer, const attn_gpt2 *model,
                                     attn_error *err);
void attn_trainer_free (attn_trainer **trainer);

const attn_gpt2_config *attn_trainer_config_get (const attn_trainer *trainer);
size_t attn_trainer_parameters (const attn_trainer *trainer); /* number of trained values */
size_t attn_trainer_steps (const attn_trainer *trainer);      /* updates made so far */

/* attn_trainer_accumulate -- loss and gradient of B rows of T tokens, added to the gradient.
 * in:      ids, targets: B*T each, row after row; a target of -1 is left out of the loss.
 *          share: the gradient is multiplied by it (1/n for the mean of n calls).
 * out:     *loss: mean negative log-likelihood over the targets that count (0 without any).
 * Errors:  ATTN_E_RANGE (ids), ATTN_E_TOO_LONG (T > T_max), ATTN_E_EMPTY_TEXT, ATTN_E_NOMEM,
 *          ATTN_E_INTERRUPTED; the weights are unchanged and the gradient is dropped then.
 * Cost:    about 6*P flops a token for P parameters; activations O(B*T*(8*C + 2*F)*L). */
attn_status attn_trainer_accumulate (attn_trainer *trainer, const int32_t *ids,
                                     const int32_t *targets, size_t B, size_t T, double share,
                                     double *loss, const attn_run *run, attn_error *err);

/* attn_trainer_update -- one AdamW step with the accumulated gradient, which is cleared.
 * out:     *norm: global norm of the gradient before clipping.
 * Errors:  ATTN_E_DIVERGED when the norm is not a number; the weights are unchanged then. */
attn_status attn_trainer_update (attn_trainer *trainer, const attn_adamw *options,
                                 double learning_rate, double *norm, const attn_run *run,
                                 attn_error *err);

/* attn_trainer_evaluate -- the loss of attn_trainer_accumulate without a gradient. */
attn_status attn_trainer_evaluate (attn_trainer *trainer, const int32_t *ids,
                                   const int32_t *targets, size_t B, size_t T, double *loss,
                                   const attn_run *run, attn_error *err);

/* attn_learning_rate -- rate of STEP (from 0) of STEPS: linear warm-up over the first `warmup`
 * steps, then a half cosine from PEAK down to FLOOR*PEAK. */
double attn_learning_rate (size_t step, size_t steps, size_t warmup, double peak, double floor);

/* attn_batch_draw -- fills B rows of T ids and their next tokens from a text of n tokens (n > T).
 * A row starts at a random element of `starts` with probability `start_share`, else anywhere; the
 * last full row takes the place of starts behind it.
 * in:      tokens (n), starts (n_starts; may be NULL when n_starts is 0)
 * in-out:  random.   out: ids, targets (B*T each).
 * Errors:  ATTN_E_RANGE. */
attn_status attn_batch_draw (attn_random *random, const int32_t *tokens, size_t n,
                             const size_t *starts, size_t n_starts, double start_share, size_t B,
                             size_t T, int32_t *ids, int32_t *targets, attn_error *err);

typedef enum { ATTN_STORE_F32, ATTN_STORE_F16 } attn_store;

/* attn_trainer_save_model -- writes config.json and model.safetensors of a Hugging Face folder
 * (which must exist), each to a temporary name that is then renamed.
 * in:      end_of_text: id of <|endoftext|> for config.json, or -1 for none.
 * Errors:  ATTN_E_WRITE (names the file and the system's reason), ATTN_E_NOMEM. */
attn_status attn_trainer_save_model (const attn_trainer *trainer, const char *folder,
                                     int32_t end_of_text, attn_store store, attn_error *err);

/* attn_trainer_checkpoint -- writes everything that a resumed training needs (weights, moments,
 * step, RANDOM and the caller's NOTE bytes) to FILE, atomically. attn_trainer_resume -- the
 * inverse; *note is a fresh block of *note_bytes (free with attn_note_free). Errors:  ATTN_E_WRITE;
 * ATTN_E_MODEL_NOT_FOUND, ATTN_E_MODEL_CORRUPT (also when the file was cut), ATTN_E_NOMEM. */
attn_status attn_trainer_checkpoint (const attn_trainer *trainer, const attn_random *random,
                                     const void *note, size_t note_bytes, const char *file,
                                     attn_error *err);
attn_status attn_trainer_resume (attn_trainer **trainer, attn_random *random, void **note,
                                 size_t *note_bytes, const char *file, attn_error *err);
void attn_note_free (void **note);

#ifdef __cplusplus
}
#endif

#endif
