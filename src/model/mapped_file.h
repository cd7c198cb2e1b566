/* Large files, read in place. */
#ifndef MODEL_MAPPED_FILE_H
#define MODEL_MAPPED_FILE_H

#include <stddef.h>
#include "attn/status.h"
#include "base/fault_guard.h"
#include "model/regular_file.h"

/* A whole file, mapped read-only, and kept open.  A file that is replaced (written under another
 * name, then renamed) or removed stays readable as it was.  One that is shortened or written to
 * shows the new content, page by page: its data may be touched only between mapped_file_enter and
 * mapped_file_leave, and what was computed from them counts only if mapped_file_check passes
 * afterwards. */
typedef struct {
  const unsigned char *data; /* not NULL after a successful open */
  size_t bytes;
  file_stamp stamp; /* owned */
  int descriptor;
  guarded_region region;
} mapped_file;

/* mapped_file_open -- maps PATH.  *FILE has to stay at one place until it is closed.
 * Errors:  ATTN_E_MODEL_NOT_FOUND (missing, unreadable, no regular file), ATTN_E_NOMEM; closing is
 * allowed then too. */
attn_status mapped_file_open (mapped_file *file, const char *path, attn_error *err);
void mapped_file_close (mapped_file *file);

/* mapped_file_enter, mapped_file_leave -- the data may be read in between by any thread that does
 * not block SIGBUS; pages that are gone read as zeros.  Pairs may nest and overlap. */
void mapped_file_enter (mapped_file *file);
void mapped_file_leave (mapped_file *file);

/* mapped_file_check -- whether all that was read so far is the content that was opened.
 * Errors:  ATTN_E_MODEL_CORRUPT (the file became shorter, was written to, or could not be read);
 * it stays so until the file is opened anew. */
attn_status mapped_file_check (const mapped_file *file, attn_error *err);

#endif
