/* Files that appear complete or not at all: written under a temporary name in the same folder,
 * flushed to the disk, then renamed. */
#ifndef MODEL_ATOMIC_FILE_H
#define MODEL_ATOMIC_FILE_H

#include <stddef.h>
#include "attn/status.h"

typedef struct {
  int descriptor;  /* -1 when closed */
  char *path;      /* owned: the final name */
  char *temporary; /* owned: NAME.new-..., in the folder of `path` */
} atomic_file;

#define ATOMIC_FILE_CLOSED                                                                         \
  {                                                                                                \
    .descriptor = -1                                                                               \
  }

/* atomic_file_open -- starts a file that is to replace PATH, which stays as it is until the commit.
 * Every failure below is ATTN_E_WRITE (names the file and the system's reason) or ATTN_E_NOMEM, and
 * leaves FILE to be given up by atomic_file_close. */
attn_status atomic_file_open (atomic_file *file, const char *path, attn_error *err);

/* atomic_file_write -- appends BYTES bytes. */
attn_status atomic_file_write (atomic_file *file, const void *data, size_t bytes, attn_error *err);

/* atomic_file_commit -- makes the file appear under its name, durably. */
attn_status atomic_file_commit (atomic_file *file, attn_error *err);

/* atomic_file_close -- frees FILE; what was not committed is removed. */
void atomic_file_close (atomic_file *file);

#endif
