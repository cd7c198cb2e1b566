#include "model/weights.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "model/layout.h"
#include "model/wording.h"

/* A tensor under its name without prefix. */
typedef struct {
  const char *name;
  const safetensors *file;
  const safetensors_tensor *tensor;
} named_tensor;

typedef struct {
  named_tensor *list; /* count, sorted by name */
  size_t count;
  const char *source; /* a file to name when a tensor is in none */
} tensor_names;

static const char *without_prefix (const char *name)
{
  static const char prefix[] = "transformer.";
  return strncmp (name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static int compare_names (const void *a, const void *b)
{
  const named_tensor *x = a, *y = b;
  return strcmp (x->name, y->name);
}

static attn_status names_create (tensor_names *names, const safetensors *files, size_t count,
                                 attn_error *err)
{
  size_t total = 0;
  for (size_t f = 0; f < count; f++)
    total = size_plus (total, files[f].count);
  names->source = count > 0 ? files[0].source : "the model";
  names->list = attn_alloc (total, sizeof *names->list);
  if (names->list == NULL)
    return attn_no_memory (err, "the list of tensors", total, sizeof *names->list);
  for (size_t f = 0; f < count; f++)
    for (size_t i = 0; i < files[f].count; i++) {
      const safetensors_tensor *tensor = &files[f].tensors[i];
      names->list[names->count++] =
          (named_tensor){without_prefix (tensor->name), &files[f], tensor};
    }
  qsort (names->list, total, sizeof *names->list, compare_names);
  for (size_t i = 1; i < total; i++) {
    const named_tensor *a = &names->list[i - 1], *b = &names->list[i];
    if (strcmp (a->name, b->name) == 0)
      return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "%s: tensor '%s' is there twice, also as '%s'%s%s", a->file->source,
                        printable_name (a->tensor->name).text,
                        printable_name (b->tensor->name).text, a->file == b->file ? "" : " in ",
                        a->file == b->file ? "" : b->file->source);
  }
  return ATTN_OK;
}

static const named_tensor *find (const tensor_names *names, const char *name)
{
  named_tensor key = {.name = name};
  return bsearch (&key, names->list, names->count, sizeof key, compare_names);
}

static void shape_text (char *text, size_t size, const size_t *shape, size_t dims)
{
  size_t used = (size_t)snprintf (text, size, "[");
  for (size_t i = 0; i < dims && used < size; i++)
    used += (size_t)snprintf (text + used, size - used, i > 0 ? " %zu" : "%zu", shape[i]);
  if (used < size)
    snprintf (text + used, size - used, "]");
}

/* check_tensor -- FOUND (NULL = missing) is WANTED. */
static attn_status check_tensor (const tensor_names *names, const gpt2_tensor *wanted,
                                 const named_tensor *found, attn_error *err)
{
  char expected[64], came[SAFETENSORS_DIMS_MAX * 22];
  shape_text (expected, sizeof expected, wanted->shape, wanted->dims);
  if (found == NULL)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s', expected with shape %s, is missing", names->source,
                      wanted->name, expected);
  const safetensors_tensor *tensor = found->tensor;
  bool same = tensor->dims == wanted->dims;
  for (size_t i = 0; i < wanted->dims && same; i++)
    same = tensor->shape[i] == wanted->shape[i];
  if (!same) {
    shape_text (came, sizeof came, tensor->shape, tensor->dims);
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': expected shape %s, as config.json gives it, got %s",
                      found->file->source, printable_name (tensor->name).text, expected, came);
  }
  if (tensor->type == SAFETENSORS_OTHER)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': expected type F32, F16, BF16 or F64, got %s",
                      found->file->source, printable_name (tensor->name).text, tensor->type_name);
  return ATTN_OK;
}

/* check_all -- every tensor of the configuration is there; nothing is allocated, so that absurd
 * sizes in config.json end here. */
static attn_status check_all (const tensor_names *names, const attn_gpt2_config *config,
                              attn_error *err)
{
  size_t count = gpt2_tensor_count (config);
  attn_status status = ATTN_OK;
  for (size_t i = 0; i < count && status == ATTN_OK; i++) {
    gpt2_tensor wanted = gpt2_tensor_at (config, i);
    status = check_tensor (names, &wanted, find (names, wanted.name), err);
  }
  if (status != ATTN_OK)
    return status;
  char next[GPT2_NAME_MAX];
  snprintf (next, sizeof next, "h.%zu.ln_1.weight", config->L);
  const named_tensor *more = find (names, next);
  if (more != NULL)
    return attn_fail (
        err, ATTN_E_MODEL_CORRUPT,
        "%s: tensor '%s' belongs to a block behind the %zu of 'n_layer' in config.json",
        more->file->source, more->tensor->name, config->L);
  return ATTN_OK;
}

/* bind_tensor -- *slot = the numbers of TENSOR as float32. */
static attn_status bind_tensor (attn_gpt2 *model, const safetensors_tensor *tensor,
                                const float **slot, attn_error *err)
{
  if (tensor->type == SAFETENSORS_F32 && (uintptr_t)tensor->data % _Alignof(float) == 0) {
    *slot = (const float *)(const void *)tensor->data;
    return ATTN_OK;
  }
  attn_status status = attn_grow (&model->converted, &model->converted_capacity,
                                  model->converted_count + 1, sizeof *model->converted, err);
  if (status != ATTN_OK)
    return status;
  float *numbers = attn_alloc (tensor->elements, sizeof *numbers);
  if (numbers == NULL)
    return attn_no_memory (err, tensor->name, tensor->elements, sizeof *numbers);
  model->converted[model->converted_count++] = numbers;
  safetensors_read_f32 (tensor, numbers);
  *slot = numbers;
  return ATTN_OK;
}

/* bind_tied_head -- the output projection is wte; a copy of it in the file must be the same. */
static attn_status bind_tied_head (attn_gpt2 *model, const tensor_names *names, attn_error *err)
{
  attn_gpt2_config untied = model->config;
  untied.tied_head = 0;
  gpt2_tensor wanted = gpt2_tensor_at (&untied, gpt2_tensor_count (&untied) - 1);
  const named_tensor *head = find (names, wanted.name);
  model->weights.lm_head = model->weights.wte;
  if (head == NULL)
    return ATTN_OK;
  attn_status status = check_tensor (names, &wanted, head, err);
  if (status != ATTN_OK)
    return status;
  const safetensors_tensor *embedding = find (names, "wte.weight")->tensor;
  size_t bytes = head->tensor->end - head->tensor->begin;
  if (head->tensor->type != embedding->type ||
      (head->tensor->data != embedding->data &&
       memcmp (head->tensor->data, embedding->data, bytes) != 0))
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s' differs from wte.weight: expected the same numbers, or "
                      "\"tie_word_embeddings\": false in config.json",
                      head->file->source, printable_name (head->tensor->name).text);
  return ATTN_OK;
}

attn_status weights_bind (attn_gpt2 *model, const safetensors *files, size_t count, attn_error *err)
{
  tensor_names names = {0};
  const attn_gpt2_config *config = &model->config;
  attn_status status = names_create (&names, files, count, err);
  if (status == ATTN_OK)
    status = check_all (&names, config, err);
  if (status != ATTN_OK)
    goto done;
  model->weights.blocks = attn_alloc_zero (config->L, sizeof *model->weights.blocks);
  if (model->weights.blocks == NULL) {
    status = attn_no_memory (err, "the list of blocks", config->L, sizeof *model->weights.blocks);
    goto done;
  }
  size_t tensors = gpt2_tensor_count (config);
  for (size_t i = 0; i < tensors && status == ATTN_OK; i++) {
    gpt2_tensor wanted = gpt2_tensor_at (config, i);
    const float **slot = gpt2_tensor_slot (&model->weights, config, i);
    status = bind_tensor (model, find (&names, wanted.name)->tensor, slot, err);
  }
  if (status == ATTN_OK && config->tied_head)
    status = bind_tied_head (model, &names, err);
done:
  attn_free (names.list);
  return status;
}

void weights_release (attn_gpt2 *model)
{
  for (size_t i = 0; i < model->converted_count; i++)
    attn_free (model->converted[i]);
  attn_free (model->converted);
  attn_free (model->weights.blocks);
  model->converted = NULL;
  model->converted_count = model->converted_capacity = 0;
  model->weights = (gpt2_weights){0};
}
