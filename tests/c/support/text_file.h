/* Whole files for tests, which run in the top folder of the project. */
#ifndef TEST_TEXT_FILE_H
#define TEST_TEXT_FILE_H

#include <stddef.h>

/* text_file_read -- the bytes of PATH in memory from malloc, with a NUL behind; ends the program
 * with a message when it cannot be read. */
char *text_file_read (const char *path, size_t *bytes);

#endif
