#define _POSIX_C_SOURCE 200809L
#include "model/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "model/wording.h"

static file_state state_from (const struct stat *info)
{
  return (file_state){.device = (uint64_t)info->st_dev,
                      .inode = (uint64_t)info->st_ino,
                      .bytes = (uint64_t)info->st_size,
                      .links = (uint64_t)info->st_nlink,
                      .modified_seconds = (int64_t)info->st_mtim.tv_sec,
                      .modified_nanoseconds = (int64_t)info->st_mtim.tv_nsec,
                      .changed_seconds = (int64_t)info->st_ctim.tv_sec,
                      .changed_nanoseconds = (int64_t)info->st_ctim.tv_nsec};
}

attn_status regular_file_cannot_read (attn_error *err, const char *path, int number)
{
  char reason[128];
  wording_system (number, reason, sizeof reason);
  return attn_fail (err, number == ENOMEM ? ATTN_E_NOMEM : ATTN_E_MODEL_NOT_FOUND,
                    "cannot read '%s': %s", path_tail (path), reason);
}

static attn_status check_kind (const char *path, const struct stat *info, attn_error *err)
{
  if (S_ISREG (info->st_mode))
    return ATTN_OK;
  return attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "'%s' is %s, expected a file", path_tail (path),
                    S_ISDIR (info->st_mode) ? "a folder" : "no regular file");
}

static attn_status stamp_create (file_stamp *stamp, const char *path, const struct stat *info,
                                 attn_error *err)
{
  size_t size = strlen (path) + 1;
  *stamp = (file_stamp){.path = attn_alloc (size, 1), .state = state_from (info)};
  if (stamp->path == NULL)
    return attn_no_memory (err, "a file name", size, 1);
  memcpy (stamp->path, path, size);
  return ATTN_OK;
}

attn_status regular_file_open (int *descriptor, file_stamp *stamp, const char *path,
                               attn_error *err)
{
  struct stat info;
  /* Asked first, because opening a device can have effects of its own; and again behind open,
   * which without O_NONBLOCK would wait for the other end of a pipe that has come in between. */
  if (stat (path, &info) != 0)
    return regular_file_cannot_read (err, path, errno);
  attn_status status = check_kind (path, &info, err);
  if (status != ATTN_OK)
    return status;
  int opened = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0)
    return regular_file_cannot_read (err, path, errno);
  if (fstat (opened, &info) != 0)
    status = regular_file_cannot_read (err, path, errno);
  if (status == ATTN_OK)
    status = check_kind (path, &info, err);
  if (status == ATTN_OK && (uint64_t)info.st_size > (uint64_t)PTRDIFF_MAX)
    status =
        attn_fail (err, ATTN_E_NOMEM, "'%s' does not fit into the address space", path_tail (path));
  if (status == ATTN_OK)
    status = stamp_create (stamp, path, &info, err);
  if (status == ATTN_OK)
    *descriptor = opened;
  else
    close (opened);
  return status;
}

file_state file_state_of (int descriptor)
{
  struct stat info;
  return fstat (descriptor, &info) == 0 ? state_from (&info) : (file_state){0};
}

int file_state_differs (const file_state *before, const file_state *now)
{
  return now->device != before->device || now->inode != before->inode ||
         now->bytes != before->bytes || now->modified_seconds != before->modified_seconds ||
         now->modified_nanoseconds != before->modified_nanoseconds ||
         (now->links == before->links && (now->changed_seconds != before->changed_seconds ||
                                          now->changed_nanoseconds != before->changed_nanoseconds));
}

int file_stamp_changed (const file_stamp *stamp)
{
  struct stat info;
  if (stat (stamp->path, &info) != 0)
    return 1;
  file_state now = state_from (&info);
  return file_state_differs (&stamp->state, &now);
}

void file_stamp_free (file_stamp *stamp)
{
  attn_free (stamp->path);
  stamp->path = NULL;
}
