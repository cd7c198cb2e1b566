#include "marshal.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#if defined(HAVE_OCTAVE)
#include "interrupt.h"
#endif

/* ---- raising ---- */

MARSHAL_NORETURN static void raise_text (const char *id, const char *text)
{
  mexErrMsgIdAndTxt (id, "%s", text);
  abort (); /* not reached: says to the compiler that the line above does not return */
}

void marshal_raise (attn_status status, const attn_error *err)
{
#if defined(HAVE_OCTAVE)
  interrupt_raise (); /* comes before any error */
#endif
  raise_text (attn_status_id (status), err->text);
}

void marshal_fail (attn_status status, const char *format, ...)
{
  attn_error err;
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (err.text, sizeof err.text, format, arguments);
  va_end (arguments);
  marshal_raise (status, &err);
}

void marshal_usage (const char *function)
{
#if defined(HAVE_OCTAVE)
  mxArray *name = mxCreateString (function);
  mexCallMATLAB (0, NULL, 1, &name, "print_usage");
#endif
  attn_error err;
  snprintf (err.text, sizeof err.text, "Invalid call to %s", function);
  raise_text ("Octave:invalid-fun-call", err.text);
}

void marshal_check_outputs (const char *function, int nlhs, int max)
{
  (void)function; /* the interpreter puts it in front of the message */
  if (nlhs > max)
    raise_text ("Octave:invalid-fun-call", "function called with too many outputs");
}

/* ---- what a value is ---- */

bool marshal_is_float (const mxArray *a)
{
  return (mxIsDouble (a) || mxIsSingle (a)) && !mxIsSparse (a) && !mxIsComplex (a);
}

bool marshal_is_number (const mxArray *a)
{
  return mxIsNumeric (a) && !mxIsSparse (a) && !mxIsComplex (a) && mxGetNumberOfElements (a) == 1;
}

bool marshal_is_flag (const mxArray *a)
{
  return mxIsLogical (a) && !mxIsSparse (a) && mxGetNumberOfElements (a) == 1;
}

bool marshal_is_text (const mxArray *a)
{
  if (!mxIsChar (a))
    return false;
  size_t rows = mxGetM (a), elements = mxGetNumberOfElements (a);
  return elements == 0 || (rows == 1 && mxGetNumberOfDimensions (a) == 2);
}

bool marshal_is_name (const mxArray *a, const char *name)
{
  if (!marshal_is_text (a))
    return false;
  size_t length = mxGetNumberOfElements (a);
  if (length != strlen (name))
    return false;
  const mxChar *text = mxGetData (a);
  for (size_t i = 0; i < length; i++)
    if (tolower ((unsigned char)text[i]) != name[i])
      return false;
  return true;
}

double marshal_number (const mxArray *a)
{
  return mxGetScalar (a);
}

bool marshal_flag (const mxArray *a)
{
  return *(const mxLogical *)mxGetData (a) != 0;
}

marshal_words marshal_dims (size_t ndims, const size_t *dims)
{
  marshal_words words = {""};
  size_t used = 0;
  while (ndims > 2 && dims[ndims - 1] == 1)
    ndims--;
  for (size_t i = 0; i < ndims && used < sizeof words.text; i++)
    used += (size_t)snprintf (words.text + used, sizeof words.text - used, "%s%zu",
                              i > 0 ? "-by-" : "", dims[i]);
  return words;
}

marshal_words marshal_shape (const mxArray *a)
{
  enum { MAX_DIMS = 16 };
  size_t ndims = (size_t)mxGetNumberOfDimensions (a), dims[MAX_DIMS];
  const mwSize *sizes = mxGetDimensions (a);
  if (ndims > MAX_DIMS)
    ndims = MAX_DIMS;
  for (size_t i = 0; i < ndims; i++)
    dims[i] = (size_t)sizes[i];
  return marshal_dims (ndims, dims);
}

marshal_words marshal_decimal (double x)
{
  marshal_words words = {"NaN"};
  if (isinf (x))
    snprintf (words.text, sizeof words.text, "%sInf", x < 0 ? "-" : "");
  else if (!isnan (x))
    snprintf (words.text, sizeof words.text, "%g", x);
  return words;
}

marshal_words marshal_class (const mxArray *a)
{
  const char *kind = mxIsSparse (a) ? " (sparse)" : mxIsComplex (a) ? " (complex)" : "";
  marshal_words words;
  snprintf (words.text, sizeof words.text, "%.100s%s", mxGetClassName (a), kind);
  return words;
}

/* ---- text and memory ---- */

const char *marshal_text (const mxArray *a, const char *what, size_t *bytes)
{
  if (!marshal_is_text (a))
    marshal_fail (ATTN_E_TYPE, "%s must be a row of text; got %s of class %s", what,
                  marshal_shape (a).text, marshal_class (a).text);
  size_t length = mxGetNumberOfElements (a);
  char *copy = marshal_alloc (what, size_plus (length, 1), 1);
  const mxChar *from = length > 0 ? mxGetData (a) : NULL;
  for (size_t i = 0; i < length; i++)
    copy[i] = (char)from[i];
  copy[length] = '\0';
  *bytes = length;
  return copy;
}

/* number_in_file -- the number that follows LABEL in a short text file, or SIZE_MAX. */
static size_t number_in_file (const char *path, const char *label)
{
  char text[4096];
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return SIZE_MAX;
  size_t length = fread (text, 1, sizeof text - 1, file);
  fclose (file);
  text[length] = '\0';
  const char *place = strstr (text, label);
  unsigned long long value;
  if (place == NULL || sscanf (place + strlen (label), "%llu", &value) != 1)
    return SIZE_MAX;
  return (size_t)value;
}

/* memory_available -- bytes that can be filled without swapping, by what Linux says of the machine
 * and of the control group (containers); SIZE_MAX where nothing is known. */
static size_t memory_available (void)
{
  size_t kilobytes = number_in_file ("/proc/meminfo", "MemAvailable:");
  size_t machine = kilobytes < SIZE_MAX / 1024 ? kilobytes * 1024 : SIZE_MAX;
  size_t limit = number_in_file ("/sys/fs/cgroup/memory.max", "");
  size_t used = number_in_file ("/sys/fs/cgroup/memory.current", "");
  size_t group = SIZE_MAX;
  if (limit != SIZE_MAX && used != SIZE_MAX)
    group = limit > used ? limit - used : 0;
  return size_min (machine, group);
}

void marshal_check_memory (const char *what, size_t count, size_t size)
{
  enum { LARGE = 1 << 28 }; /* below 256 MB a question would cost more than it saves */
  size_t bytes;
  bool there = size_mul (count, size, &bytes);
  if (there && bytes >= LARGE) {
    void *probe = bytes <= memory_available () ? malloc (bytes) : NULL;
    there = probe != NULL;
    free (probe);
  }
  if (!there)
    marshal_fail (ATTN_E_NOMEM, "out of memory: %s needs %zu elements of %zu bytes", what, count,
                  size);
}

void *marshal_alloc (const char *what, size_t count, size_t size)
{
  marshal_check_memory (what, count, size);
  return mxMalloc (size_times (size_max (count, 1), size));
}

void *marshal_alloc_zero (const char *what, size_t count, size_t size)
{
  marshal_check_memory (what, count, size);
  return mxCalloc (size_max (count, 1), size);
}

mxArray *marshal_chars (const char *text, size_t bytes)
{
  const mwSize dims[2] = {1, (mwSize)bytes};
  mxArray *row = mxCreateCharArray (2, dims);
  mxChar *to = mxGetData (row);
  for (size_t i = 0; i < bytes; i++)
    to[i] = (mxChar)text[i];
  return row;
}

void *marshal_floats (const mxArray *a, const char *what, bool single)
{
  if (mxIsSingle (a) == single)
    return mxGetData (a);
  size_t count = mxGetNumberOfElements (a);
  void *copy = marshal_alloc (what, count, single ? sizeof (float) : sizeof (double));
  const void *data = mxGetData (a);
  for (size_t i = 0; i < count; i++)
    if (single)
      ((float *)copy)[i] = (float)((const double *)data)[i];
    else
      ((double *)copy)[i] = ((const float *)data)[i];
  return copy;
}

/* zeros_of_interpreter -- zeros (dims, class), or NULL when that does not work.  Octave copies an
 * array of mxCreate* once more when the gateway returns it, but not one that it made itself. */
static mxArray *zeros_of_interpreter (size_t ndims, const mwSize *dims, mxClassID class_id)
{
  mxArray *shape = mxCreateDoubleMatrix (1, (mwSize)ndims, mxREAL), *result = NULL;
  for (size_t i = 0; i < ndims; i++)
    mxGetPr (shape)[i] = (double)dims[i];
  mxArray *arguments[] = {shape, mxCreateString (class_id == mxSINGLE_CLASS ? "single" : "double")};
  mxArray *failure = mexCallMATLABWithTrap (1, &result, 2, arguments, "zeros");
  mxDestroyArray (arguments[1]);
  mxDestroyArray (shape);
  if (failure != NULL)
    mxDestroyArray (failure);
  return failure == NULL ? result : NULL;
}

mxArray *marshal_output (const char *what, size_t ndims, const size_t *dims, mxClassID class_id)
{
  enum { MAX_DIMS = 8, LARGE = 1 << 16 }; /* elements from which a copy costs more than a call */
  mwSize sizes[MAX_DIMS];
  size_t count = 1, element = class_id == mxSINGLE_CLASS ? sizeof (float) : sizeof (double);
  for (size_t i = 0; i < ndims; i++) {
    if (!size_mul (count, dims[i], &count))
      count = SIZE_MAX;
    sizes[i] = (mwSize)dims[i];
  }
  marshal_check_memory (what, count, element);
  if (count >= LARGE) {
    mxArray *made = zeros_of_interpreter (ndims, sizes, class_id);
    if (made != NULL && marshal_is_float (made) && mxGetClassID (made) == class_id &&
        mxGetNumberOfElements (made) == count)
      return made;
  }
  return mxCreateUninitNumericArray ((mwSize)ndims, sizes, class_id, mxREAL);
}

/* ---- running ---- */

attn_run marshal_run (void)
{
  attn_run run = {0};
#if defined(HAVE_OCTAVE)
  run.interrupted = interrupt_pending;
#endif
  return run;
}
