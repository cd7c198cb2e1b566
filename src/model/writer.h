/* Writing models in the Hugging Face layout. */
#ifndef MODEL_WRITER_H
#define MODEL_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include "attn/gpt2.h"
#include "attn/train.h"
#include "model/atomic_file.h"
#include "model/model.h"

/* A safetensors file in the making: begin; declare every tensor; write their numbers in the same
 * order, in pieces of any size; commit; close.  Declared and written numbers must agree. */
typedef struct {
  atomic_file file;
  attn_store store;
  char *header; /* owned, header_bytes of header_capacity */
  size_t header_bytes, header_capacity;
  size_t declared, written; /* numbers */
  uint16_t *halves;         /* owned scratch, NULL for ATTN_STORE_F32 */
} safetensors_writer;

/* safetensors_writer_begin -- starts a file that is to replace PATH.  Failures of all functions
 * here are ATTN_E_WRITE (names the file and the system's reason) and ATTN_E_NOMEM; the file at PATH
 * is then as before, and the writer is to be closed. */
attn_status safetensors_writer_begin (safetensors_writer *writer, const char *path,
                                      attn_store store, attn_error *err);

/* safetensors_writer_declare -- the next tensor; NAME is plain ASCII without quotes and
 * backslashes, SHAPE has DIMS sizes. */
attn_status safetensors_writer_declare (safetensors_writer *writer, const char *name,
                                        const size_t *shape, size_t dims, attn_error *err);

/* safetensors_writer_write -- the next COUNT numbers; F16 rounds to nearest, beyond 65504 to
 * infinity. */
attn_status safetensors_writer_write (safetensors_writer *writer, const float *numbers,
                                      size_t count, attn_error *err);
attn_status safetensors_writer_commit (safetensors_writer *writer, attn_error *err);
void safetensors_writer_close (safetensors_writer *writer);

/* gpt2_config_write -- writes config.json of CONFIG to PATH.  END_OF_TEXT is the id that begins and
 * ends texts, or -1 for none. */
attn_status gpt2_config_write (const char *path, const attn_gpt2_config *config,
                               int32_t end_of_text, attn_error *err);

/* gpt2_declare -- declares all tensors of CONFIG, in the order of gpt2_tensor_at. */
attn_status gpt2_declare (safetensors_writer *writer, const attn_gpt2_config *config,
                          attn_error *err);

/* gpt2_model_write -- writes config.json and model.safetensors to FOLDER, which must exist.  Each
 * file is replaced as a whole, the weights first. */
attn_status gpt2_model_write (const char *folder, const attn_gpt2_config *config,
                              const gpt2_weights *weights, int32_t end_of_text, attn_store store,
                              attn_error *err);

#endif
