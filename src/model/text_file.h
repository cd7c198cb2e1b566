/* Small files, read into memory: a text that is parsed must not change meanwhile, as a mapped one
 * does when another program writes to it. */
#ifndef MODEL_TEXT_FILE_H
#define MODEL_TEXT_FILE_H

#include <stddef.h>
#include "attn/status.h"
#include "model/regular_file.h"

enum { TEXT_FILE_MAX = 1 << 28 }; /* bytes; the largest published tokenizers have a tenth */

typedef struct {
  char *data; /* owned; not NULL after a successful open, and not NUL-terminated */
  size_t bytes;
} text_file;

/* text_file_open -- reads PATH; *STAMP (owned by the caller, see file_stamp_free) is its state
 * before.
 * Errors:  ATTN_E_MODEL_NOT_FOUND (missing, unreadable, no regular file), ATTN_E_MODEL_CORRUPT
 * (larger than TEXT_FILE_MAX, or it became shorter while it was read), ATTN_E_NOMEM; nothing is
 * owned then. */
attn_status text_file_open (text_file *file, file_stamp *stamp, const char *path, attn_error *err);
void text_file_close (text_file *file);

#endif
