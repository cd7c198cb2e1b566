/* Regular files: opened without a wait, whatever lies under the name, and recognised later. */
#ifndef MODEL_REGULAR_FILE_H
#define MODEL_REGULAR_FILE_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"

/* What identifies the content of a file without reading it.  A program can set the time of
 * modification back, but not that of the last change; the latter moves with the number of links
 * too. */
typedef struct {
  uint64_t device, inode, bytes, links;
  int64_t modified_seconds, modified_nanoseconds;
  int64_t changed_seconds, changed_nanoseconds;
} file_state;

/* A file and its state when it was opened. */
typedef struct {
  char *path; /* owned; NULL = none */
  file_state state;
} file_stamp;

/* regular_file_open -- opens PATH for reading.  A pipe, a device, a socket or a folder is refused
 * at once.
 * out:     *descriptor, to be closed by close; *stamp, to be freed by file_stamp_free.
 * Errors:  ATTN_E_MODEL_NOT_FOUND (missing, unreadable, or no regular file), ATTN_E_NOMEM; nothing
 * is owned then. */
attn_status regular_file_open (int *descriptor, file_stamp *stamp, const char *path,
                               attn_error *err);

/* regular_file_cannot_read -- the error of a system call on PATH that gave the errno NUMBER. */
attn_status regular_file_cannot_read (attn_error *err, const char *path, int number);

/* file_state_of -- the state of the file behind DESCRIPTOR; zero when the system does not say. */
file_state file_state_of (int descriptor);

/* file_state_differs -- whether NOW can have other content than BEFORE. */
int file_state_differs (const file_state *before, const file_state *now);

/* file_stamp_changed -- whether the file at the stamp's path is not the one that was stamped. */
int file_stamp_changed (const file_stamp *stamp);
void file_stamp_free (file_stamp *stamp);

#endif
