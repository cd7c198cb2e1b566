/* Folders that a test makes, changes and removes. */
#ifndef TEST_SUPPORT_FOLDER_H
#define TEST_SUPPORT_FOLDER_H

#include <stddef.h>

enum { FOLDER_PATH = 512 };

/* folder_create -- a new empty folder; PATH gets its name.  Fails the test when it cannot. */
void folder_create (char path[FOLDER_PATH]);

/* folder_remove -- removes PATH and the files in it (no folders). */
void folder_remove (const char *path);

/* folder_copy -- copies the files of FROM into TO. */
void folder_copy (const char *from, const char *to);

/* folder_write -- file NAME in PATH gets BYTES bytes of DATA. */
void folder_write (const char *path, const char *name, const void *data, size_t bytes);

/* folder_read -- the bytes of file NAME in PATH and a NUL behind them, to be freed by free. */
char *folder_read (const char *path, const char *name, size_t *bytes);

/* folder_count -- number of files in PATH. */
size_t folder_count (const char *path);

/* file_path -- "PATH/NAME", in RESULT. */
void file_path (char result[FOLDER_PATH], const char *path, const char *name);

#endif
