#define _POSIX_C_SOURCE 200809L
#include "model/mapped_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/wording.h"

static const unsigned char nothing[1]; /* what an empty file is mapped to */

attn_status mapped_file_open (mapped_file *file, const char *path, attn_error *err)
{
  *file = (mapped_file){0};
  attn_status status = regular_file_open (&file->descriptor, &file->stamp, path, err);
  if (status != ATTN_OK)
    return status;
  file->data = nothing;
  file->bytes = (size_t)file->stamp.state.bytes;
  if (file->bytes == 0)
    return ATTN_OK;
  void *start = mmap (NULL, file->bytes, PROT_READ, MAP_PRIVATE, file->descriptor, 0);
  if (start == MAP_FAILED) {
    status = regular_file_cannot_read (err, path, errno);
    mapped_file_close (file);
    return status;
  }
  file->region.start = start;
  file->region.bytes = file->bytes;
  file->data = start;
  return ATTN_OK;
}

void mapped_file_close (mapped_file *file)
{
  if (file->data == NULL)
    return;
  if (file->region.bytes > 0)
    munmap (file->region.start, file->region.bytes);
  close (file->descriptor);
  file_stamp_free (&file->stamp);
  *file = (mapped_file){0};
}

void mapped_file_enter (mapped_file *file)
{
  if (file->region.bytes > 0)
    fault_guard_enter (&file->region);
}

void mapped_file_leave (mapped_file *file)
{
  if (file->region.bytes > 0)
    fault_guard_leave (&file->region);
}

attn_status mapped_file_check (const mapped_file *file, attn_error *err)
{
  const char *name = path_tail (file->stamp.path);
  file_state now = file_state_of (file->descriptor);
  if (now.bytes < file->stamp.state.bytes)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "'%s' became shorter while it was in use: it had %zu bytes and has %llu now",
                      name, file->bytes, (unsigned long long)now.bytes);
  if (file_state_differs (&file->stamp.state, &now))
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "'%s' was written to while it was in use; call again to read it anew", name);
  if (atomic_load (&file->region.lost))
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "a part of '%s' could not be read: is its disk or network in order?", name);
  return ATTN_OK;
}
