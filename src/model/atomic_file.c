#define _POSIX_C_SOURCE 200809L
#include "model/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/size.h"
#include "model/wording.h"

enum {
  SUFFIX_MAX = 48,     /* ".new-PID-N" */
  NAME_ATTEMPTS = 100, /* temporary names that may be left from killed processes */
  WRITE_MAX = 1 << 30  /* bytes a call; some systems take no more than 2 GiB */
};

static attn_status cannot_write (attn_error *err, const char *path)
{
  char reason[128];
  wording_system (errno, reason, sizeof reason);
  return attn_fail (err, ATTN_E_WRITE, "cannot write '%s': %s", path_tail (path), reason);
}

attn_status atomic_file_open (atomic_file *file, const char *path, attn_error *err)
{
  size_t length = strlen (path);
  *file = (atomic_file)ATOMIC_FILE_CLOSED;
  file->path = attn_alloc (length + 1, 1);
  file->temporary = attn_alloc (length + SUFFIX_MAX, 1);
  if (file->path == NULL || file->temporary == NULL) {
    atomic_file_close (file);
    return attn_no_memory (err, "a file name", length + SUFFIX_MAX, 1);
  }
  memcpy (file->path, path, length + 1);
  file->temporary[0] = '\0';
  for (int i = 0; i < NAME_ATTEMPTS && file->descriptor < 0; i++) {
    snprintf (file->temporary, length + SUFFIX_MAX, "%s.new-%ld-%d", path, (long)getpid (), i);
    file->descriptor = open (file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->descriptor < 0 && errno != EEXIST)
      break;
  }
  return file->descriptor >= 0 ? ATTN_OK : cannot_write (err, path);
}

attn_status atomic_file_write (atomic_file *file, const void *data, size_t bytes, attn_error *err)
{
  const char *next = data;
  while (bytes > 0) {
    ssize_t written = write (file->descriptor, next, size_min (bytes, WRITE_MAX));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return cannot_write (err, file->path);
    next += written;
    bytes -= (size_t)written;
  }
  return ATTN_OK;
}

/* sync_folder -- makes the new name durable too.  Not every file system can; then nothing is lost
 * but the guarantee after a power failure. */
static void sync_folder (char *path)
{
  char *slash = strrchr (path, '/');
  char kept = '\0';
  if (slash != NULL) {
    kept = slash[1];
    slash[1] = '\0';
  }
  int folder = open (slash != NULL ? path : ".", O_RDONLY | O_CLOEXEC);
  if (slash != NULL)
    slash[1] = kept;
  if (folder >= 0) {
    fsync (folder);
    close (folder);
  }
}

attn_status atomic_file_commit (atomic_file *file, attn_error *err)
{
  int descriptor = file->descriptor;
  if (fsync (descriptor) != 0)
    return cannot_write (err, file->path);
  file->descriptor = -1;
  /* Some network file systems report a full disk only here. */
  int failed = close (descriptor) != 0 && errno != EINTR;
  if (failed || rename (file->temporary, file->path) != 0) {
    attn_status status = cannot_write (err, file->path);
    unlink (file->temporary);
    return status;
  }
  sync_folder (file->path);
  return ATTN_OK;
}

void atomic_file_close (atomic_file *file)
{
  if (file->descriptor >= 0) {
    close (file->descriptor);
    unlink (file->temporary);
  }
  attn_free (file->path);
  attn_free (file->temporary);
  *file = (atomic_file)ATOMIC_FILE_CLOSED;
}
