/* Read-only files in memory, and how to notice that they changed. */
#ifndef MODEL_MAPPED_FILE_H
#define MODEL_MAPPED_FILE_H

#include <stddef.h>
#include <stdint.h>
#include "attn/status.h"

/* What identifies the content of a file without reading it. */
typedef struct {
  char *path; /* owned */
  uint64_t device, inode, bytes;
  int64_t modified_seconds, modified_nanoseconds;
} file_stamp;

/* A whole file, mapped read-only.  A file that another process shortens while it is mapped raises
 * SIGBUS on the pages that are gone: no check at opening can prevent that.  Files that are replaced
 * (written under another name, then renamed) or removed stay readable as they were;
 * attn_gpt2_changed is to be asked before each use to find out about the rest. */
typedef struct {
  const unsigned char *data; /* not NULL after a successful open */
  size_t bytes;
} mapped_file;

/* mapped_file_open -- maps PATH and, unless STAMP is NULL, fills *STAMP (its path is the caller's
 * to free with file_stamp_free). Errors:  ATTN_E_MODEL_NOT_FOUND (missing, unreadable or not a
 * regular file), ATTN_E_NOMEM. */
attn_status mapped_file_open (mapped_file *file, file_stamp *stamp, const char *path,
                              attn_error *err);
void mapped_file_close (mapped_file *file);

/* file_stamp_changed -- non-zero when the file at the stamp's path is not the
 * one that was stamped. */
int file_stamp_changed (const file_stamp *stamp);
void file_stamp_free (file_stamp *stamp);

#endif
