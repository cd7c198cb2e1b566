/* What every gateway shares: naming and checking values, raising errors, text, memory, Ctrl-C.
 *
 * Raising ends the gateway by an exception that runs through its C frames: whatever plain malloc
 * or the core gave and was not freed leaks then.  So a function here that may raise says so, and
 * is called while nothing is owned.  Memory of mxMalloc and mxCreate* belongs to the interpreter,
 * which frees it however the gateway ends. */
#ifndef MEX_MARSHAL_H
#define MEX_MARSHAL_H

#include <stdbool.h>
#include <stddef.h>

#include <mex.h>

#include "attn/status.h"

#if defined(__GNUC__)
#define MARSHAL_NORETURN __attribute__ ((noreturn))
#define MARSHAL_PRINTF(text, first) __attribute__ ((format (printf, text, first)))
#else
#define MARSHAL_NORETURN
#define MARSHAL_PRINTF(format, first)
#endif

/* ---- raising ---- */

/* marshal_raise -- raises the error of a core call that failed.  After ATTN_E_INTERRUPTED the
 * pending Ctrl-C acts as it does everywhere in Octave: back to the prompt, past every try. */
MARSHAL_NORETURN void marshal_raise (attn_status status, const attn_error *err);

/* marshal_fail -- raises an error of the gateway's own. */
MARSHAL_NORETURN void marshal_fail (attn_status status, const char *format, ...)
    MARSHAL_PRINTF (2, 3);

/* marshal_usage -- raises the error of print_usage for FUNCTION. */
MARSHAL_NORETURN void marshal_usage (const char *function);

/* marshal_check_outputs -- raises what Octave raises for a function file when more than MAX outputs
 * are asked for. */
void marshal_check_outputs (const char *function, int nlhs, int max);

/* ---- what a value is -------------------------------------------------------------------------
 * Every check looks at the class before the data: asking a function handle or an object for its
 * data ends the process.  mxIsDouble alone is true for sparse and complex ones. */

/* marshal_is_float -- full, real, double or single, of any shape. */
bool marshal_is_float (const mxArray *a);

/* marshal_is_number -- one full real number of a floating-point or integer class. */
bool marshal_is_number (const mxArray *a);

/* marshal_is_flag -- one logical value. */
bool marshal_is_flag (const mxArray *a);

/* marshal_is_text -- a row of characters, or an empty char array. */
bool marshal_is_text (const mxArray *a);

/* marshal_is_name -- text equal to NAME (ASCII, lower case), upper and lower
 * case being the same. */
bool marshal_is_name (const mxArray *a, const char *name);

/* marshal_number, marshal_flag -- the value after marshal_is_number, marshal_is_flag said yes. */
double marshal_number (const mxArray *a);
bool marshal_flag (const mxArray *a);

/* Room for a description; longer ones are cut. */
typedef struct {
  char text[128];
} marshal_words;

/* marshal_shape, marshal_dims -- "3-by-2"; dimensions of 1 behind the second are left out. */
marshal_words marshal_shape (const mxArray *a);
marshal_words marshal_dims (size_t ndims, const size_t *dims);

/* marshal_decimal -- a number as Octave prints it: "1.5", "NaN", "-Inf". */
marshal_words marshal_decimal (double x);

/* marshal_class -- "double", "double (sparse)", "double (complex)", "function_handle", ... */
marshal_words marshal_class (const mxArray *a);

/* ---- text and memory ---- */

/* marshal_text -- bytes of a char array, NUL-terminated besides; a text may hold NUL itself, so the
 * number of bytes is *BYTES.  The memory is the interpreter's.
 * Raises: attention:bad-type, naming WHAT, when A is no text. */
const char *marshal_text (const mxArray *a, const char *what, size_t *bytes);

/* marshal_chars -- a char row of BYTES bytes, which may hold NUL. */
mxArray *marshal_chars (const char *text, size_t bytes);

/* marshal_alloc, marshal_alloc_zero -- COUNT elements of SIZE bytes, not initialised or zero, that
 * belong to the interpreter; room for one element when COUNT is 0.
 * Raises: attention:no-memory, naming WHAT. */
void *marshal_alloc (const char *what, size_t count, size_t size);
void *marshal_alloc_zero (const char *what, size_t count, size_t size);

/* marshal_floats -- data of A (marshal_is_float), borrowed where its class is the wanted one;
 * otherwise a converted copy that belongs to the interpreter.
 * Raises: attention:no-memory, naming WHAT. */
void *marshal_floats (const mxArray *a, const char *what, bool single);

/* marshal_output -- a numeric array with undefined content; dims as mxCreateNumericArray.
 * Raises: attention:no-memory, naming WHAT, when the size overflows or the memory is not there;
 * asking first matters on systems that hand out more memory than they have. */
mxArray *marshal_output (const char *what, size_t ndims, const size_t *dims, mxClassID class_id);

/* marshal_check_memory -- raises attention:no-memory when COUNT elements of SIZE bytes cannot be
 * had at this time. */
void marshal_check_memory (const char *what, size_t count, size_t size);

/* ---- running ---- */

/* marshal_run -- default threads, Ctrl-C polled. */
attn_run marshal_run (void);

#endif
