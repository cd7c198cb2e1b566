/* The gateway to GPT-2: __gpt2__ (COMMAND, ...), called only by the functions in scripts/, which
 * check what the user gave and word the errors about it.  Layers, heads and tokens count from 1
 * here as everywhere in Octave; ids of tokens count from 0, as the model counts them.
 *
 * The gateway owns the models in plain memory, because they outlive the call.  A command raises
 * only while it owns nothing itself; what must live for one call is memory of the interpreter. */
#ifndef MEX_GPT2_H
#define MEX_GPT2_H

#include <stdint.h>

#include "marshal.h"

#include "attn/gpt2.h"

/* One command: the arguments without its name.  Raises. */
typedef void gpt2_command (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);

gpt2_command gpt2_open, gpt2_loaded, gpt2_unload; /* __gpt2___models.c */
gpt2_command gpt2_has_tokenizer, gpt2_load_tokenizer, gpt2_describe_tokenizer, gpt2_encode,
    gpt2_encode_documents, gpt2_tokens;        /* __gpt2___text.c */
gpt2_command gpt2_forward;                     /* __gpt2___forward.c */
gpt2_command gpt2_start, gpt2_next, gpt2_stop; /* __gpt2___generate.c */

/* ---- what is loaded ---- */

/* gpt2_find -- the model of the folder that argument A names, borrowed.
 * Raises: attention:model-not-found when 'open' was not called for it. */
const attn_gpt2 *gpt2_find (const mxArray *a);

/* gpt2_is_loaded -- whether anything is loaded under the name A. */
bool gpt2_is_loaded (const mxArray *a);

/* gpt2_find_tokenizer -- the tokenizer of a model, or one loaded alone under the name A. */
const attn_tokenizer *gpt2_find_tokenizer (const mxArray *a);

/* gpt2_keep_tokenizer -- takes *TOKENIZER over under the name KEY. */
attn_status gpt2_keep_tokenizer (const char *key, attn_tokenizer **tokenizer, attn_error *err);

/* gpt2_drop_generations -- ends the generations that run on MODEL; NULL = all. */
void gpt2_drop_generations (const attn_gpt2 *model);

/* ---- arguments ---- */

/* gpt2_ids -- the ids in A, a real double array; memory of the interpreter. */
int32_t *gpt2_ids (const mxArray *a, size_t *T);

/* gpt2_number -- A as a number.  Raises: attention:bad-type, naming WHAT. */
double gpt2_number (const mxArray *a, const char *what);

/* gpt2_size -- A as a size from 0 to MAX.  Raises: attention:out-of-range, naming WHAT. */
size_t gpt2_size (const mxArray *a, const char *what, size_t max);

#endif
