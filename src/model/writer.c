#include "model/writer.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/half.h"
#include "base/size.h"
#include "model/config.h"
#include "model/layout.h"

enum {
  LENGTH_BYTES = 8,
  HEADER_ALIGNMENT = 64, /* where the data begin in the file: a cache line once mapped */
  ENTRY_MAX = 512,       /* bytes of one tensor in the header */
  HALVES = 16384         /* numbers that are converted at a time */
};

static size_t number_bytes (attn_store store)
{
  return store == ATTN_STORE_F16 ? sizeof (uint16_t) : sizeof (float);
}

static attn_status append (safetensors_writer *writer, const char *text, size_t bytes,
                           attn_error *err)
{
  attn_status status = attn_grow (&writer->header, &writer->header_capacity,
                                  size_plus (writer->header_bytes, bytes), 1, err);
  if (status != ATTN_OK)
    return status;
  memcpy (writer->header + writer->header_bytes, text, bytes);
  writer->header_bytes += bytes;
  return ATTN_OK;
}

attn_status safetensors_writer_begin (safetensors_writer *writer, const char *path,
                                      attn_store store, attn_error *err)
{
  /* Readers of other people look for "format" before they take the file for PyTorch's layout. */
  static const char start[] = "{\"__metadata__\":{\"format\":\"pt\"}";
  *writer = (safetensors_writer){.file = ATOMIC_FILE_CLOSED, .store = store};
  if (store == ATTN_STORE_F16) {
    writer->halves = attn_alloc (HALVES, sizeof *writer->halves);
    if (writer->halves == NULL)
      return attn_no_memory (err, "conversion to 16 bits", HALVES, sizeof *writer->halves);
  }
  attn_status status = append (writer, start, sizeof start - 1, err);
  if (status == ATTN_OK)
    status = atomic_file_open (&writer->file, path, err);
  return status;
}

attn_status safetensors_writer_declare (safetensors_writer *writer, const char *name,
                                        const size_t *shape, size_t dims, attn_error *err)
{
  char entry[ENTRY_MAX];
  size_t width = number_bytes (writer->store), numbers = 1, used;
  assert (writer->written == 0 && strpbrk (name, "\"\\") == NULL);
  used = (size_t)snprintf (entry, sizeof entry, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", name,
                           writer->store == ATTN_STORE_F16 ? "F16" : "F32");
  for (size_t i = 0; i < dims; i++) {
    assert (used < sizeof entry);
    used += (size_t)snprintf (entry + used, sizeof entry - used, i > 0 ? ",%zu" : "%zu", shape[i]);
    numbers *= shape[i];
  }
  assert (used < sizeof entry);
  used += (size_t)snprintf (entry + used, sizeof entry - used, "],\"data_offsets\":[%zu,%zu]}",
                            writer->declared * width, (writer->declared + numbers) * width);
  assert (used < sizeof entry);
  writer->declared += numbers;
  return append (writer, entry, used, err);
}

/* write_header -- the length, and the header filled up with spaces as the format allows. */
static attn_status write_header (safetensors_writer *writer, attn_error *err)
{
  unsigned char length[LENGTH_BYTES];
  attn_status status = append (writer, "}", 1, err);
  while (status == ATTN_OK && (LENGTH_BYTES + writer->header_bytes) % HEADER_ALIGNMENT != 0)
    status = append (writer, " ", 1, err);
  if (status != ATTN_OK)
    return status;
  for (int i = 0; i < LENGTH_BYTES; i++)
    length[i] = (unsigned char)((uint64_t)writer->header_bytes >> 8 * i);
  status = atomic_file_write (&writer->file, length, sizeof length, err);
  if (status == ATTN_OK)
    status = atomic_file_write (&writer->file, writer->header, writer->header_bytes, err);
  return status;
}

attn_status safetensors_writer_write (safetensors_writer *writer, const float *numbers,
                                      size_t count, attn_error *err)
{
  attn_status status = ATTN_OK;
  if (writer->written == 0 && count > 0)
    status = write_header (writer, err);
  assert (count <= writer->declared - writer->written);
  writer->written += count;
  if (writer->store == ATTN_STORE_F32 && status == ATTN_OK)
    return atomic_file_write (&writer->file, numbers, count * sizeof *numbers, err);
  while (count > 0 && status == ATTN_OK) {
    size_t n = size_min (count, HALVES);
    for (size_t i = 0; i < n; i++)
      writer->halves[i] = f16_from_float (numbers[i]);
    status = atomic_file_write (&writer->file, writer->halves, n * sizeof *writer->halves, err);
    numbers += n;
    count -= n;
  }
  return status;
}

attn_status safetensors_writer_commit (safetensors_writer *writer, attn_error *err)
{
  assert (writer->written == writer->declared && writer->declared > 0);
  return atomic_file_commit (&writer->file, err);
}

void safetensors_writer_close (safetensors_writer *writer)
{
  atomic_file_close (&writer->file);
  attn_free (writer->header);
  attn_free (writer->halves);
  writer->header = NULL;
  writer->halves = NULL;
}

/* number_text -- VALUE in as few digits as give the same float back, and with a point whatever the
 * locale: 1e-05, 1.25e-06. */
static void number_text (char *text, size_t size, float value)
{
  char local[64];
  int digits = 0;
  do
    snprintf (local, sizeof local, "%.*e", digits, (double)value);
  while ((float)strtod (local, NULL) != value && ++digits < FLT_DECIMAL_DIG);
  const char *fraction = local + 1 + strcspn (local + 1, "0123456789e");
  snprintf (text, size, fraction == local + 1 ? "%c%s" : "%c.%s", local[0], fraction);
}

/* config_text -- fills TEXT; the result fits into any buffer of CONFIG_MAX bytes. */
enum { CONFIG_MAX = 2048 };
static size_t config_text (char text[CONFIG_MAX], const attn_gpt2_config *config,
                           int32_t end_of_text)
{
  char epsilon[32], end[16] = "null";
  number_text (epsilon, sizeof epsilon, config->norm_epsilon);
  if (end_of_text >= 0)
    snprintf (end, sizeof end, "%ld", (long)end_of_text);
  int used = snprintf (
      text, CONFIG_MAX,
      "{\n"
      "  \"architectures\": [\"GPT2LMHeadModel\"],\n"
      "  \"model_type\": \"gpt2\",\n"
      "  \"n_layer\": %zu,\n"
      "  \"n_head\": %zu,\n"
      "  \"n_embd\": %zu,\n"
      "  \"n_inner\": %zu,\n"
      "  \"n_positions\": %zu,\n"
      "  \"n_ctx\": %zu,\n"
      "  \"vocab_size\": %zu,\n"
      "  \"activation_function\": \"%s\",\n"
      "  \"layer_norm_epsilon\": %s,\n"
      "  \"scale_attn_weights\": %s,\n"
      "  \"scale_attn_by_inverse_layer_idx\": %s,\n"
      "  \"tie_word_embeddings\": %s,\n"
      "  \"bos_token_id\": %s,\n"
      "  \"eos_token_id\": %s\n"
      "}\n",
      config->L, config->H, config->C, config->F, config->T_max, config->T_max, config->V,
      activation_name (config->activation), epsilon, config->scale_by_head_size ? "true" : "false",
      config->scale_by_layer ? "true" : "false", config->tied_head ? "true" : "false", end, end);
  assert (used > 0 && used < CONFIG_MAX);
  return (size_t)used;
}

attn_status gpt2_config_write (const char *path, const attn_gpt2_config *config,
                               int32_t end_of_text, attn_error *err)
{
  char text[CONFIG_MAX];
  atomic_file file;
  size_t bytes = config_text (text, config, end_of_text);
  attn_status status = atomic_file_open (&file, path, err);
  if (status == ATTN_OK)
    status = atomic_file_write (&file, text, bytes, err);
  if (status == ATTN_OK)
    status = atomic_file_commit (&file, err);
  atomic_file_close (&file);
  return status;
}

attn_status gpt2_declare (safetensors_writer *writer, const attn_gpt2_config *config,
                          attn_error *err)
{
  attn_status status = ATTN_OK;
  for (size_t i = 0; i < gpt2_tensor_count (config) && status == ATTN_OK; i++) {
    gpt2_tensor tensor = gpt2_tensor_at (config, i);
    status = safetensors_writer_declare (writer, tensor.name, tensor.shape, tensor.dims, err);
  }
  return status;
}

static attn_status write_weights (const char *path, const attn_gpt2_config *config,
                                  const gpt2_weights *weights, attn_store store, attn_error *err)
{
  safetensors_writer writer;
  gpt2_weights slots = *weights; /* gpt2_tensor_slot wants to be able to write; here it reads */
  attn_status status = safetensors_writer_begin (&writer, path, store, err);
  if (status == ATTN_OK)
    status = gpt2_declare (&writer, config, err);
  for (size_t i = 0; i < gpt2_tensor_count (config) && status == ATTN_OK; i++) {
    gpt2_tensor tensor = gpt2_tensor_at (config, i);
    const float *numbers = *gpt2_tensor_slot (&slots, config, i);
    status = safetensors_writer_write (&writer, numbers, tensor.shape[0] * tensor.shape[1], err);
  }
  if (status == ATTN_OK)
    status = safetensors_writer_commit (&writer, err);
  safetensors_writer_close (&writer);
  return status;
}

attn_status gpt2_model_write (const char *folder, const attn_gpt2_config *config,
                              const gpt2_weights *weights, int32_t end_of_text, attn_store store,
                              attn_error *err)
{
  static const char model_name[] = "/model.safetensors", config_name[] = "/config.json";
  size_t length = strlen (folder);
  char *path = attn_alloc (length + sizeof model_name, 1);
  if (path == NULL)
    return attn_no_memory (err, "a file name", length + sizeof model_name, 1);
  memcpy (path, folder, length);
  memcpy (path + length, model_name, sizeof model_name);
  attn_status status = write_weights (path, config, weights, store, err);
  if (status == ATTN_OK) {
    memcpy (path + length, config_name, sizeof config_name);
    status = gpt2_config_write (path, config, end_of_text, err);
  }
  attn_free (path);
  return status;
}
