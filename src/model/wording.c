#define _POSIX_C_SOURCE 200809L
#include "model/wording.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PATH_SHOWN = 400 }; /* of the 1024 bytes of an attn_error */

const char *path_tail (const char *path)
{
  size_t length = strlen (path);
  return length > PATH_SHOWN ? path + (length - PATH_SHOWN) : path;
}

printable printable_name (const char *name)
{
  printable result;
  size_t i;
  for (i = 0; name[i] != '\0' && i < sizeof result.text - 1; i++) {
    unsigned char byte = (unsigned char)name[i];
    result.text[i] = byte < 0x20 || byte == 0x7f ? '?' : name[i];
  }
  if (name[i] != '\0')
    memcpy (result.text + sizeof result.text - 4, "...", 3);
  result.text[i] = '\0';
  return result;
}

void wording_system (int number, char *text, size_t size)
{
  if (strerror_r (number, text, size) != 0)
    snprintf (text, size, "error %d", number);
}

static int starts_with (const char *data, size_t bytes, const char *start)
{
  size_t length = strlen (start);
  return bytes >= length && strncasecmp (data, start, length) == 0;
}

const char *wording_wrong_download (const void *data, size_t bytes)
{
  static const struct {
    const char *start, *meaning;
  } known[] = {
      {"version https://git-lfs", "a Git LFS pointer"},
      {"<!doctype", "a web page"},
      {"<html", "a web page"},
      {"<?xml", "an XML page"},
      {"PK\003\004", "a zip archive (PyTorch's own format?)"},
      {"\x89HDF", "an HDF5 file"},
      {"GGUF", "a GGUF file"},
  };
  const char *text = data;
  while (bytes > 0 && (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n')) {
    text++;
    bytes--;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (starts_with (text, bytes, known[i].start))
      return known[i].meaning;
  return NULL;
}
