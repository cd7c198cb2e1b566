#include "text/pretokenize.h"

#include <stdbool.h>
#include <utf8proc.h>

typedef enum { CLASS_END, CLASS_SPACE, CLASS_LETTER, CLASS_NUMBER, CLASS_OTHER } char_class;

static char_class class_of_ascii (unsigned char c)
{
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
    return CLASS_LETTER;
  if (c == ' ' || (c >= '\t' && c <= '\r'))
    return CLASS_SPACE;
  return c >= '0' && c <= '9' ? CLASS_NUMBER : CLASS_OTHER;
}

/* White_Space is the separators (Z*) and the controls U+0009 to U+000D and U+0085. */
static char_class class_of_code_point (utf8proc_int32_t code)
{
  if (code == 0x85)
    return CLASS_SPACE;
  switch (utf8proc_category (code)) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return CLASS_LETTER;
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_NO:
    return CLASS_NUMBER;
  case UTF8PROC_CATEGORY_ZS:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return CLASS_SPACE;
  default:
    return CLASS_OTHER;
  }
}

/* class_at -- class of the character at AT and the index behind it in *next;
 * CLASS_END at the end. */
static char_class class_at (const char *text, size_t bytes, size_t at, size_t *next)
{
  *next = at;
  if (at >= bytes)
    return CLASS_END;
  unsigned char c = (unsigned char)text[at];
  *next = at + 1;
  if (c < 0x80)
    return class_of_ascii (c);
  utf8proc_int32_t code;
  size_t left = bytes - at < 4 ? bytes - at : 4;
  utf8proc_ssize_t used =
      utf8proc_iterate ((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)left, &code);
  if (used <= 0)
    return CLASS_OTHER;
  *next = at + (size_t)used;
  return class_of_code_point (code);
}

/* run_end -- index behind the longest run of class KIND from AT. */
static size_t run_end (const char *text, size_t bytes, size_t at, char_class kind)
{
  size_t next;
  while (class_at (text, bytes, at, &next) == kind)
    at = next;
  return at;
}

/* contraction_end -- index behind 's, 't, 're, 've, 'm, 'll or 'd at the apostrophe AT; AT if there
 * is none.  Small letters only. */
static size_t contraction_end (const char *text, size_t bytes, size_t at)
{
  char first = bytes - at > 1 ? text[at + 1] : '\0';
  char second = bytes - at > 2 ? text[at + 2] : '\0';
  if (first == 's' || first == 't' || first == 'm' || first == 'd')
    return at + 2;
  bool two = (first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
             (first == 'l' && second == 'l');
  return two ? at + 3 : at;
}

/* space_end -- \s+(?!\S)|\s+ from START: all white space at the end of the text; otherwise all but
 * its last character, which goes with the next word, unless it is the only one. */
static size_t space_end (const char *text, size_t bytes, size_t start)
{
  size_t at = start, last = start, next;
  char_class kind;
  while ((kind = class_at (text, bytes, at, &next)) == CLASS_SPACE) {
    last = at;
    at = next;
  }
  return kind == CLASS_END || last == start ? at : last;
}

size_t word_end (const char *text, size_t bytes, size_t start)
{
  size_t next, behind;
  if (text[start] == '\'') {
    size_t end = contraction_end (text, bytes, start);
    if (end != start)
      return end;
  }
  char_class kind = class_at (text, bytes, start, &next);
  if (text[start] == ' ') { /* only the plain space joins the run behind it */
    char_class second = class_at (text, bytes, next, &behind);
    if (second != CLASS_SPACE && second != CLASS_END) {
      kind = second;
      next = behind;
    }
  }
  return kind == CLASS_SPACE ? space_end (text, bytes, start) : run_end (text, bytes, next, kind);
}
