/* Reading the weights of a model, whose files may change at any time. */
#ifndef MODEL_GUARD_H
#define MODEL_GUARD_H

#include "attn/status.h"
#include "model/model.h"

/* model_guard_enter, model_guard_leave -- the weights may be read in between; what is gone of them
 * reads as zeros.
 * model_guard_check -- whether everything that was read so far was what had been opened.
 * Errors: ATTN_E_MODEL_CORRUPT (names the file); the model stays refused from then on.
 * Cost: a system call a file. */
void model_guard_enter (const attn_gpt2 *model);
void model_guard_leave (const attn_gpt2 *model);
attn_status model_guard_check (const attn_gpt2 *model, attn_error *err);

#endif
