#define _POSIX_C_SOURCE 200809L
#include "support/folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

void file_path (char result[FOLDER_PATH], const char *path, const char *name)
{
  int used = snprintf (result, FOLDER_PATH, "%s/%s", path, name);
  assert_true (used > 0 && used < FOLDER_PATH);
}

void folder_create (char path[FOLDER_PATH])
{
  const char *parent = getenv ("TMPDIR");
  file_path (path, parent != NULL ? parent : "/tmp", "attn-test-XXXXXX");
  assert_non_null (mkdtemp (path));
}

/* next_file -- the next entry of FOLDER that is neither "." nor ".."; NULL at the end. */
static const char *next_file (DIR *folder)
{
  struct dirent *entry;
  while ((entry = readdir (folder)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      return entry->d_name;
  return NULL;
}

void folder_remove (const char *path)
{
  char file[FOLDER_PATH];
  const char *name;
  DIR *folder = opendir (path);
  assert_non_null (folder);
  while ((name = next_file (folder)) != NULL) {
    file_path (file, path, name);
    assert_int_equal (unlink (file), 0);
  }
  closedir (folder);
  assert_int_equal (rmdir (path), 0);
}

size_t folder_count (const char *path)
{
  size_t count = 0;
  DIR *folder = opendir (path);
  assert_non_null (folder);
  while (next_file (folder) != NULL)
    count++;
  closedir (folder);
  return count;
}

void folder_write (const char *path, const char *name, const void *data, size_t bytes)
{
  char file[FOLDER_PATH];
  file_path (file, path, name);
  FILE *out = fopen (file, "wb");
  assert_non_null (out);
  assert_int_equal (fwrite (data, 1, bytes, out), bytes);
  assert_int_equal (fclose (out), 0);
}

char *folder_read (const char *path, const char *name, size_t *bytes)
{
  char file[FOLDER_PATH];
  file_path (file, path, name);
  FILE *in = fopen (file, "rb");
  if (in == NULL)
    fail_msg ("cannot read %s", file);
  assert_int_equal (fseek (in, 0, SEEK_END), 0);
  *bytes = (size_t)ftell (in);
  rewind (in);
  char *data = malloc (*bytes + 1);
  assert_non_null (data);
  assert_int_equal (fread (data, 1, *bytes, in), *bytes);
  data[*bytes] = '\0';
  fclose (in);
  return data;
}

void folder_copy (const char *from, const char *to)
{
  const char *name;
  DIR *folder = opendir (from);
  if (folder == NULL)
    fail_msg ("cannot open %s", from);
  while ((name = next_file (folder)) != NULL) {
    size_t bytes;
    char *data = folder_read (from, name, &bytes);
    folder_write (to, name, data, bytes);
    free (data);
  }
  closedir (folder);
}
