/* The safetensors format: where a file has which tensor.
 *
 * A file is 8 bytes (little-endian length n), n bytes of JSON that map each name to its element
 * type, shape and byte range, then the data.  As the format demands, the ranges cover the data
 * without holes; two names may have one and the same range (a tied weight), no other overlap is
 * accepted.  (huggingface/safetensors, README "Format".) */
#ifndef MODEL_SAFETENSORS_H
#define MODEL_SAFETENSORS_H

#include <stddef.h>
#include "attn/status.h"
#include "base/json.h"

enum {
  SAFETENSORS_DIMS_MAX = 8,
  SAFETENSORS_HEADER_MAX = 100000000 /* bytes; the limit of the format's own implementation */
};

/* Element types that can be read; the others are known by size only. */
typedef enum {
  SAFETENSORS_F32,
  SAFETENSORS_F16,
  SAFETENSORS_BF16,
  SAFETENSORS_F64,
  SAFETENSORS_OTHER
} safetensors_type;

typedef struct {
  const char *name;      /* borrowed from the header */
  const char *type_name; /* "F32", ...; static */
  safetensors_type type;
  size_t dims;
  size_t shape[SAFETENSORS_DIMS_MAX];
  size_t elements;           /* product of the shape */
  size_t begin, end;         /* byte range in the data */
  const unsigned char *data; /* end - begin bytes, borrowed from the file; aligned to nothing */
} safetensors_tensor;

typedef struct {
  const char *source;          /* borrowed: name of the file, for messages */
  json_document *header;       /* owned */
  safetensors_tensor *tensors; /* owned; count of them, in the order of their data */
  size_t count;
} safetensors;

/* safetensors_parse -- checks the BYTES bytes of a whole file and lists its tensors.
 * in:      source, data: borrowed until safetensors_free; nothing behind `bytes` is read.
 * out:     *file, to be freed by safetensors_free (also after an error).
 * Errors:  ATTN_E_MODEL_CORRUPT (names the file, the tensor, what was expected and came),
 *          ATTN_E_NOMEM.
 * Cost:    O(n log n) in the header; the data are not touched. */
attn_status safetensors_parse (safetensors *file, const char *source, const void *data,
                               size_t bytes, attn_error *err);
void safetensors_free (safetensors *file);

/* safetensors_read_f32 -- fills OUT (tensor->elements) with the tensor as float32; exact for F32,
 * F16 and BF16, rounded to nearest for F64.  The type must not be SAFETENSORS_OTHER. */
void safetensors_read_f32 (const safetensors_tensor *tensor, float *out);

#endif
