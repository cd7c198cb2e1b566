/* libFuzzer target of the model files.  The first byte of an input says what the rest is:
 *   0   a safetensors file
 *   1   a config.json
 *   2   a model.safetensors.index.json
 *   3   a whole model: a config.json, NUL, the JSON of a safetensors header, NUL, the data; the
 *       8 bytes of the header's length are made here, so that they are always right
 * What is accepted must be usable: every number of a bound model is read. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/config.h"
#include "model/layout.h"
#include "model/shards.h"
#include "model/weights.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

enum { LENGTH_BYTES = 8 };

static void require (int holds)
{
  if (!holds)
    abort ();
}

/* require_error -- a refusal has the right status and a text. */
static void require_error (attn_status status, const attn_error *err)
{
  require (status == ATTN_E_MODEL_CORRUPT && strlen (err->text) > 0);
}

/* touch -- reads COUNT numbers; volatile, so that the reads are not optimised away. */
static void touch (const volatile float *numbers, size_t count)
{
  for (size_t i = 0; i < count; i++)
    (void)numbers[i];
}

static void read_file (const char *data, size_t bytes)
{
  safetensors file;
  attn_error err = {""};
  attn_status status = safetensors_parse (&file, "file", data, bytes, &err);
  if (status != ATTN_OK)
    require_error (status, &err);
  for (size_t i = 0; i < file.count && status == ATTN_OK; i++) {
    const safetensors_tensor *t = &file.tensors[i];
    require (t->end <= bytes && t->begin <= t->end);
    if (t->type == SAFETENSORS_OTHER)
      continue;
    require (t->elements <= t->end - t->begin);
    float *numbers = malloc (t->elements * sizeof *numbers + 1);
    require (numbers != NULL);
    safetensors_read_f32 (t, numbers);
    free (numbers);
  }
  safetensors_free (&file);
}

static int read_config (const char *data, size_t bytes, attn_gpt2_config *config)
{
  attn_error err = {""};
  attn_status status = gpt2_config_parse (config, "config.json", data, bytes, &err);
  if (status != ATTN_OK) {
    require_error (status, &err);
    return 0;
  }
  size_t parameters;
  require (gpt2_config_check (config, "", ATTN_E_RANGE, NULL) == ATTN_OK);
  require (gpt2_parameters (config, &parameters) && parameters > 0);
  return 1;
}

static void read_index (const char *data, size_t bytes)
{
  shard_list list;
  attn_error err = {""};
  attn_status status = shard_list_parse (&list, "index", data, bytes, &err);
  if (status != ATTN_OK)
    require_error (status, &err);
  for (size_t i = 0; i < list.count && status == ATTN_OK; i++)
    require (strchr (list.names[i], '/') == NULL && strcmp (list.names[i], "..") != 0);
  shard_list_free (&list);
}

/* bind -- binds FILE's tensors to a model of CONFIG and reads all of them. */
static void bind (const attn_gpt2_config *config, const char *data, size_t bytes)
{
  safetensors file;
  attn_error err = {""};
  attn_gpt2 model = {.config = *config};
  attn_status status = safetensors_parse (&file, "file", data, bytes, &err);
  if (status == ATTN_OK)
    status = weights_bind (&model, &file, 1, &err);
  if (status != ATTN_OK)
    require_error (status, &err);
  for (size_t i = 0; i < gpt2_tensor_count (config) && status == ATTN_OK; i++) {
    gpt2_tensor t = gpt2_tensor_at (config, i);
    touch (*gpt2_tensor_slot (&model.weights, config, i), t.shape[0] * t.shape[1]);
  }
  if (status == ATTN_OK)
    touch (model.weights.lm_head, config->V * config->C);
  weights_release (&model);
  safetensors_free (&file);
}

static void read_model (const char *data, size_t size)
{
  attn_gpt2_config config;
  const char *config_end = memchr (data, '\0', size);
  if (config_end == NULL || !read_config (data, (size_t)(config_end - data), &config))
    return;
  const char *header = config_end + 1;
  size_t left = size - (size_t)(header - data);
  const char *header_end = memchr (header, '\0', left);
  if (header_end == NULL)
    return;
  size_t length = (size_t)(header_end - header), data_bytes = left - length - 1;
  char *file = malloc (LENGTH_BYTES + length + data_bytes);
  require (file != NULL);
  for (int i = 0; i < LENGTH_BYTES; i++)
    file[i] = (char)((uint64_t)length >> 8 * i);
  memcpy (file + LENGTH_BYTES, header, length);
  memcpy (file + LENGTH_BYTES + length, header_end + 1, data_bytes);
  bind (&config, file, LENGTH_BYTES + length + data_bytes);
  free (file);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  attn_gpt2_config config;
  if (size == 0)
    return 0;
  const char *rest = (const char *)data + 1;
  switch (data[0] % 4) {
  case 0:
    read_file (rest, size - 1);
    break;
  case 1:
    read_config (rest, size - 1, &config);
    break;
  case 2:
    read_index (rest, size - 1);
    break;
  default:
    read_model (rest, size - 1);
  }
  return 0;
}
