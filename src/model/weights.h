/* Binding the tensors of safetensors files to the weights of a model. */
#ifndef MODEL_WEIGHTS_H
#define MODEL_WEIGHTS_H

#include <stddef.h>
#include "model/model.h"
#include "model/safetensors.h"

/* weights_bind -- finds every tensor of model->config in FILES (count of them), with or without the
 * prefix `transformer.`, and fills model->weights.  Aligned F32 tensors are used where they lie;
 * others are converted into model->converted.
 * Head:    lm_head.weight may be absent when it is tied; when present it must equal wte.weight.
 *          When it is not tied it is required.
 * Others:  tensors with other names are ignored (attn.bias, attn.masked_bias of old files), except
 *          blocks behind the last one of the configuration: the files belong to another model then.
 * in-out:  model: config set, weights empty; to be released by weights_release, also after an
 * error. Errors:  ATTN_E_MODEL_CORRUPT (names file and tensor, expected and actual shape),
 * ATTN_E_NOMEM. */
attn_status weights_bind (attn_gpt2 *model, const safetensors *files, size_t count,
                          attn_error *err);
void weights_release (attn_gpt2 *model);

#endif
