#include "model/safetensors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/half.h"
#include "base/size.h"
#include "model/wording.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tensors are used as they lie in the file: the processor must be little-endian"
#endif

enum { LENGTH_BYTES = 8 };

typedef struct {
  const char *name;
  size_t bits;
  safetensors_type type;
} type_entry;

static const type_entry types[] = {
    {"F32", 32, SAFETENSORS_F32},      {"F16", 16, SAFETENSORS_F16},
    {"BF16", 16, SAFETENSORS_BF16},    {"F64", 64, SAFETENSORS_F64},
    {"BOOL", 8, SAFETENSORS_OTHER},    {"U8", 8, SAFETENSORS_OTHER},
    {"I8", 8, SAFETENSORS_OTHER},      {"I16", 16, SAFETENSORS_OTHER},
    {"U16", 16, SAFETENSORS_OTHER},    {"I32", 32, SAFETENSORS_OTHER},
    {"U32", 32, SAFETENSORS_OTHER},    {"I64", 64, SAFETENSORS_OTHER},
    {"U64", 64, SAFETENSORS_OTHER},    {"C64", 64, SAFETENSORS_OTHER},
    {"F8_E4M3", 8, SAFETENSORS_OTHER}, {"F8_E5M2", 8, SAFETENSORS_OTHER},
    {"F8_E8M0", 8, SAFETENSORS_OTHER}, {"F6_E2M3", 6, SAFETENSORS_OTHER},
    {"F6_E3M2", 6, SAFETENSORS_OTHER}, {"F4", 4, SAFETENSORS_OTHER},
};

/* header_text -- finds the JSON of a file, or says what the file is instead. */
static attn_status header_text (const char *source, const unsigned char *data, size_t bytes,
                                size_t *length, attn_error *err)
{
  const char *wrong = wording_wrong_download (data, bytes);
  if (wrong != NULL)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: not a safetensors file: it looks like %s; download the safetensors "
                      "file of the model again",
                      source, wrong);
  if (bytes < LENGTH_BYTES)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: not a safetensors file: expected at least %d bytes, got %zu", source,
                      LENGTH_BYTES, bytes);
  uint64_t header = 0;
  for (int i = LENGTH_BYTES - 1; i >= 0; i--)
    header = header << 8 | data[i];
  if (header > SAFETENSORS_HEADER_MAX)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: not a safetensors file: its first 8 bytes give a header of %llu bytes, "
                      "expected at most %d",
                      source, (unsigned long long)header, SAFETENSORS_HEADER_MAX);
  if (header > bytes - LENGTH_BYTES)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: cut off, or not a safetensors file: expected a header of %llu bytes "
                      "behind the first 8, got %zu",
                      source, (unsigned long long)header, bytes - LENGTH_BYTES);
  *length = (size_t)header;
  return ATTN_OK;
}

static attn_status read_type (safetensors_tensor *tensor, json_value info, const char *source,
                              size_t *bits, attn_error *err)
{
  json_value value;
  const char *name = NULL;
  attn_status status = json_require (info, "dtype", &value, err);
  if (status == ATTN_OK)
    status = json_read_string (value, &name, err);
  if (status != ATTN_OK)
    return status;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp (types[i].name, name) == 0) {
      tensor->type = types[i].type;
      tensor->type_name = types[i].name;
      *bits = types[i].bits;
      return ATTN_OK;
    }
  return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                    "%s: tensor '%s': unknown element type '%s', expected F32, F16, BF16 or F64",
                    source, printable_name (tensor->name).text, printable_name (name).text);
}

static attn_status read_shape (safetensors_tensor *tensor, json_value info, const char *source,
                               attn_error *err)
{
  json_value shape;
  attn_status status = json_require (info, "shape", &shape, err);
  if (status != ATTN_OK)
    return status;
  if (json_kind_of (shape) != JSON_ARRAY)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: tensor '%s': its shape is not an array",
                      source, printable_name (tensor->name).text);
  for (json_value v = json_first (shape); json_kind_of (v) != JSON_ABSENT; v = json_next (v)) {
    if (tensor->dims == SAFETENSORS_DIMS_MAX)
      return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "%s: tensor '%s': expected at most %d dimensions, got more", source,
                        printable_name (tensor->name).text, SAFETENSORS_DIMS_MAX);
    status = json_read_size (v, &tensor->shape[tensor->dims++], err);
    if (status != ATTN_OK)
      return status;
  }
  return ATTN_OK;
}

static attn_status read_range (safetensors_tensor *tensor, json_value info, const char *source,
                               attn_error *err)
{
  json_value offsets;
  attn_status status = json_require (info, "data_offsets", &offsets, err);
  if (status != ATTN_OK)
    return status;
  if (json_kind_of (offsets) != JSON_ARRAY || json_count (offsets) != 2)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': data_offsets: expected two numbers, [begin, end]", source,
                      printable_name (tensor->name).text);
  json_value begin = json_first (offsets);
  status = json_read_size (begin, &tensor->begin, err);
  if (status == ATTN_OK)
    status = json_read_size (json_next (begin), &tensor->end, err);
  return status;
}

/* shape_bytes -- elements and bytes of SHAPE; false when they overflow or end inside a byte. */
static bool shape_bytes (safetensors_tensor *tensor, size_t bits, size_t *bytes)
{
  size_t total;
  bool empty = false;
  for (size_t i = 0; i < tensor->dims; i++)
    empty = empty || tensor->shape[i] == 0;
  tensor->elements = empty ? 0 : 1;
  for (size_t i = 0; i < tensor->dims && !empty; i++)
    if (!size_mul (tensor->elements, tensor->shape[i], &tensor->elements))
      return false;
  if (!size_mul (tensor->elements, bits, &total) || total % 8 != 0)
    return false;
  *bytes = total / 8;
  return true;
}

static attn_status check_range (safetensors_tensor *tensor, size_t bits, size_t data_bytes,
                                const char *source, attn_error *err)
{
  size_t bytes;
  printable name = printable_name (tensor->name);
  if (tensor->begin > tensor->end)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': data_offsets [%zu, %zu] end before they begin", source,
                      name.text, tensor->begin, tensor->end);
  if (tensor->end > data_bytes)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': data_offsets [%zu, %zu] lie outside the file, which has "
                      "%zu bytes of data (cut off?)",
                      source, name.text, tensor->begin, tensor->end, data_bytes);
  if (!shape_bytes (tensor, bits, &bytes))
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': its shape gives no possible number of bytes", source,
                      name.text);
  if (bytes != tensor->end - tensor->begin)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: tensor '%s': its shape and type %s need %zu bytes, data_offsets "
                      "[%zu, %zu] give %zu",
                      source, name.text, tensor->type_name, bytes, tensor->begin, tensor->end,
                      tensor->end - tensor->begin);
  return ATTN_OK;
}

static attn_status read_tensor (safetensors_tensor *tensor, json_value info, const char *source,
                                const unsigned char *data, size_t data_bytes, attn_error *err)
{
  size_t bits = 0;
  *tensor = (safetensors_tensor){.name = json_key (info)};
  attn_status status = json_check_unique (info, err);
  if (status == ATTN_OK)
    status = read_type (tensor, info, source, &bits, err);
  if (status == ATTN_OK)
    status = read_shape (tensor, info, source, err);
  if (status == ATTN_OK)
    status = read_range (tensor, info, source, err);
  if (status == ATTN_OK)
    status = check_range (tensor, bits, data_bytes, source, err);
  if (status == ATTN_OK)
    tensor->data = data + tensor->begin;
  return status;
}

static int compare_ranges (const void *a, const void *b)
{
  const safetensors_tensor *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end < y->end ? -1 : x->end > y->end;
}

/* check_cover -- the sorted ranges cover the data: each begins where the one before ended, or is
 * that same range again. */
static attn_status check_cover (const safetensors *file, size_t data_bytes, attn_error *err)
{
  size_t begin = 0, end = 0; /* the range before */
  for (size_t i = 0; i < file->count; i++) {
    const safetensors_tensor *tensor = &file->tensors[i];
    bool again = tensor->begin == begin && tensor->end == end;
    if (!again && tensor->begin != end)
      return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "%s: tensor '%s': data_offsets [%zu, %zu] %s, expected them to begin at "
                        "%zu",
                        file->source, printable_name (tensor->name).text, tensor->begin,
                        tensor->end, tensor->begin < end ? "overlap others" : "leave a hole", end);
    begin = tensor->begin;
    end = tensor->end;
  }
  if (end != data_bytes)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: expected %zu bytes of data, as its header says, got %zu", file->source,
                      end, data_bytes);
  return ATTN_OK;
}

static attn_status read_header (safetensors *file, const unsigned char *data, size_t data_bytes,
                                attn_error *err)
{
  json_value root = json_root (file->header);
  attn_status status = json_check_unique (root, err);
  if (status != ATTN_OK)
    return status;
  size_t members = json_count (root);
  file->tensors = attn_alloc (members, sizeof *file->tensors);
  if (file->tensors == NULL)
    return attn_no_memory (err, "the list of tensors", members, sizeof *file->tensors);
  for (json_value v = json_first (root); json_kind_of (v) != JSON_ABSENT; v = json_next (v)) {
    if (strcmp (json_key (v), "__metadata__") == 0)
      continue;
    status = read_tensor (&file->tensors[file->count], v, file->source, data, data_bytes, err);
    if (status != ATTN_OK)
      return status;
    file->count++;
  }
  qsort (file->tensors, file->count, sizeof *file->tensors, compare_ranges);
  return check_cover (file, data_bytes, err);
}

/* parse_header -- from a copy: the file is mapped, and a text that is written to while it is parsed
 * could lead the parser out of its memory. */
static attn_status parse_header (safetensors *file, const unsigned char *text, size_t bytes,
                                 attn_error *err)
{
  char *copy = attn_alloc (bytes, 1);
  if (copy == NULL)
    return attn_no_memory (err, "the header of a safetensors file", bytes, 1);
  memcpy (copy, text, bytes);
  attn_status status = json_parse (&file->header, file->source, copy, bytes, err);
  attn_free (copy);
  return status;
}

attn_status safetensors_parse (safetensors *file, const char *source, const void *data,
                               size_t bytes, attn_error *err)
{
  const unsigned char *start = data;
  size_t length = 0;
  *file = (safetensors){.source = source};
  attn_status status = header_text (source, start, bytes, &length, err);
  if (status != ATTN_OK)
    return status;
  start += LENGTH_BYTES;
  status = parse_header (file, start, length, err);
  if (status != ATTN_OK)
    return status;
  return read_header (file, start + length, bytes - LENGTH_BYTES - length, err);
}

void safetensors_free (safetensors *file)
{
  json_free (&file->header);
  attn_free (file->tensors);
  *file = (safetensors){0};
}

void safetensors_read_f32 (const safetensors_tensor *tensor, float *out)
{
  const unsigned char *in = tensor->data;
  uint16_t half;
  double number;
  switch (tensor->type) {
  case SAFETENSORS_F32:
    memcpy (out, in, tensor->elements * sizeof *out);
    break;
  case SAFETENSORS_F16:
    for (size_t i = 0; i < tensor->elements; i++) {
      memcpy (&half, in + i * sizeof half, sizeof half);
      out[i] = float_from_f16 (half);
    }
    break;
  case SAFETENSORS_BF16:
    for (size_t i = 0; i < tensor->elements; i++) {
      memcpy (&half, in + i * sizeof half, sizeof half);
      out[i] = float_from_bf16 (half);
    }
    break;
  case SAFETENSORS_F64:
    for (size_t i = 0; i < tensor->elements; i++) {
      memcpy (&number, in + i * sizeof number, sizeof number);
      out[i] = (float)number;
    }
    break;
  case SAFETENSORS_OTHER:
    break;
  }
}
