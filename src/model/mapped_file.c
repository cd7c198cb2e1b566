#define _POSIX_C_SOURCE 200809L
#include "model/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "model/wording.h"

static const unsigned char nothing[1]; /* what an empty file is mapped to */

static void stamp_fill (file_stamp *stamp, const struct stat *info)
{
  stamp->device = (uint64_t)info->st_dev;
  stamp->inode = (uint64_t)info->st_ino;
  stamp->bytes = (uint64_t)info->st_size;
  stamp->modified_seconds = (int64_t)info->st_mtim.tv_sec;
  stamp->modified_nanoseconds = (int64_t)info->st_mtim.tv_nsec;
}

static attn_status stamp_create (file_stamp *stamp, const char *path, const struct stat *info,
                                 attn_error *err)
{
  size_t size = strlen (path) + 1;
  stamp->path = attn_alloc (size, 1);
  if (stamp->path == NULL)
    return attn_no_memory (err, "a file name", size, 1);
  memcpy (stamp->path, path, size);
  stamp_fill (stamp, info);
  return ATTN_OK;
}

static attn_status cannot_read (attn_error *err, const char *path, int number)
{
  char reason[128];
  if (number == ENOMEM)
    return attn_fail (err, ATTN_E_NOMEM, "not enough memory to map '%s'", path_tail (path));
  wording_system (number, reason, sizeof reason);
  return attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "cannot read '%s': %s", path_tail (path), reason);
}

attn_status mapped_file_open (mapped_file *file, file_stamp *stamp, const char *path,
                              attn_error *err)
{
  attn_status status = ATTN_OK;
  struct stat info;
  void *data = NULL;
  *file = (mapped_file){NULL, 0};
  /* O_NONBLOCK: opening a pipe that nobody writes to would wait for ever. */
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return cannot_read (err, path, errno);
  if (fstat (descriptor, &info) != 0) {
    status = cannot_read (err, path, errno);
    goto done;
  }
  if (!S_ISREG (info.st_mode)) {
    status = attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "'%s' is %s, expected a file",
                        path_tail (path), S_ISDIR (info.st_mode) ? "a folder" : "no regular file");
    goto done;
  }
  if ((uint64_t)info.st_size > (uint64_t)PTRDIFF_MAX) {
    status =
        attn_fail (err, ATTN_E_NOMEM, "'%s' does not fit into the address space", path_tail (path));
    goto done;
  }
  if (info.st_size > 0) {
    data = mmap (NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) {
      data = NULL;
      status = cannot_read (err, path, errno);
      goto done;
    }
  }
  if (stamp != NULL)
    status = stamp_create (stamp, path, &info, err);
  if (status != ATTN_OK) {
    if (data != NULL)
      munmap (data, (size_t)info.st_size);
    goto done;
  }
  file->data = data != NULL ? data : nothing;
  file->bytes = (size_t)info.st_size;
done:
  close (descriptor);
  return status;
}

void mapped_file_close (mapped_file *file)
{
  if (file->bytes > 0)
    munmap ((void *)(uintptr_t)file->data, file->bytes);
  *file = (mapped_file){NULL, 0};
}

int file_stamp_changed (const file_stamp *stamp)
{
  struct stat info;
  file_stamp now;
  if (stat (stamp->path, &info) != 0)
    return 1;
  stamp_fill (&now, &info);
  return now.device != stamp->device || now.inode != stamp->inode || now.bytes != stamp->bytes ||
         now.modified_seconds != stamp->modified_seconds ||
         now.modified_nanoseconds != stamp->modified_nanoseconds;
}

void file_stamp_free (file_stamp *stamp)
{
  attn_free (stamp->path);
  stamp->path = NULL;
}
