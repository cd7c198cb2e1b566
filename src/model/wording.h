/* Pieces of error texts that come from outside: paths, names in files, the system's reasons. */
#ifndef MODEL_WORDING_H
#define MODEL_WORDING_H

#include <stddef.h>

/* path_tail -- the last part of PATH that leaves room for the rest of a message. */
const char *path_tail (const char *path);

/* A name from a file, made fit to print. */
typedef struct {
  char text[100];
} printable;

/* printable_name -- NAME cut to the size of a printable, control bytes replaced by '?'. */
printable printable_name (const char *name);

/* wording_system -- what errno NUMBER means, into TEXT of SIZE bytes. */
void wording_system (int number, char *text, size_t size);

/* wording_wrong_download -- what the first bytes of a file show it to be when it is something that
 * is often saved in place of a model file ("a Git LFS pointer", "a web page", ...); NULL otherwise.
 */
const char *wording_wrong_download (const void *data, size_t bytes);

#endif
