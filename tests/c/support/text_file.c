#include "support/text_file.h"

#include <stdio.h>
#include <stdlib.h>

char *text_file_read (const char *path, size_t *bytes)
{
  FILE *file = fopen (path, "rb");
  char *text = NULL;
  long size = -1;
  if (file != NULL && fseek (file, 0, SEEK_END) == 0)
    size = ftell (file);
  if (size >= 0)
    text = malloc ((size_t)size + 1);
  if (text == NULL || fseek (file, 0, SEEK_SET) != 0 ||
      fread (text, 1, (size_t)size, file) != (size_t)size) {
    fprintf (stderr, "cannot read %s\n", path);
    exit (2);
  }
  fclose (file);
  text[size] = '\0';
  *bytes = (size_t)size;
  return text;
}
