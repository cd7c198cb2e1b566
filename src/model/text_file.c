#define _POSIX_C_SOURCE 200809L
#include "model/text_file.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "model/wording.h"

static attn_status read_all (int descriptor, char *data, size_t bytes, const char *path,
                             attn_error *err)
{
  for (size_t have = 0; have < bytes;) {
    ssize_t got = read (descriptor, data + have, bytes - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return regular_file_cannot_read (err, path, errno);
    if (got == 0)
      return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "'%s' became shorter while it was read: expected %zu bytes, got %zu",
                        path_tail (path), bytes, have);
    have += (size_t)got;
  }
  return ATTN_OK;
}

attn_status text_file_open (text_file *file, file_stamp *stamp, const char *path, attn_error *err)
{
  int descriptor;
  *file = (text_file){0};
  attn_status status = regular_file_open (&descriptor, stamp, path, err);
  if (status != ATTN_OK)
    return status;
  if (stamp->state.bytes > TEXT_FILE_MAX) {
    status = attn_fail (err, ATTN_E_MODEL_CORRUPT, "'%s' has %llu bytes, expected at most %d",
                        path_tail (path), (unsigned long long)stamp->state.bytes, TEXT_FILE_MAX);
    goto done;
  }
  file->bytes = (size_t)stamp->state.bytes;
  file->data = attn_alloc (file->bytes, 1);
  if (file->data == NULL)
    status = attn_no_memory (err, path_tail (path), file->bytes, 1);
  if (status == ATTN_OK)
    status = read_all (descriptor, file->data, file->bytes, path, err);
done:
  close (descriptor);
  if (status != ATTN_OK) {
    text_file_close (file);
    file_stamp_free (stamp);
  }
  return status;
}

void text_file_close (text_file *file)
{
  attn_free (file->data);
  *file = (text_file){0};
}
