#include "text/byte_alphabet.h"

#include <assert.h>

/* The printable bytes as three ranges, and the others as three ranges between them. */
enum { PRINTABLE = 188, BYTES = 256 };
static const unsigned char printable_ranges[3][2] = {{0x21, 0x7e}, {0xa1, 0xac}, {0xae, 0xff}};
static const unsigned char other_ranges[3][2] = {{0x00, 0x20}, {0x7f, 0xa0}, {0xad, 0xad}};

/* nth_of -- the N-th byte of three ranges, counted from 0; they hold more than N. */
static unsigned char nth_of (const unsigned char ranges[3][2], int n)
{
  int i = 0;
  while (n > ranges[i][1] - ranges[i][0]) {
    n -= ranges[i][1] - ranges[i][0] + 1;
    i++;
  }
  return (unsigned char)(ranges[i][0] + n);
}

/* place_in -- the inverse of nth_of, or -1. */
static int place_in (const unsigned char ranges[3][2], unsigned char byte)
{
  int before = 0;
  for (int i = 0; i < 3; i++) {
    if (byte >= ranges[i][0] && byte <= ranges[i][1])
      return before + byte - ranges[i][0];
    before += ranges[i][1] - ranges[i][0] + 1;
  }
  return -1;
}

unsigned char byte_in_order (int rank)
{
  assert (rank >= 0 && rank < BYTES);
  return rank < PRINTABLE ? nth_of (printable_ranges, rank)
                          : nth_of (other_ranges, rank - PRINTABLE);
}

size_t byte_symbol (unsigned char byte, char text[BYTE_SYMBOL_MAX])
{
  int other = place_in (other_ranges, byte);
  int code = other < 0 ? byte : BYTES + other;
  if (code < 0x80) {
    text[0] = (char)code;
    return 1;
  }
  text[0] = (char)(0xc0 | code >> 6);
  text[1] = (char)(0x80 | (code & 0x3f));
  return 2;
}

/* symbol_code -- code point of the 1- or 2-byte UTF-8 at TEXT, its length in *used; -1 for
 * anything else. */
static int symbol_code (const unsigned char *text, size_t bytes, size_t *used)
{
  *used = 1;
  if (text[0] < 0x80)
    return text[0];
  if (text[0] < 0xc2 || text[0] > 0xdf || bytes < 2 || (text[1] & 0xc0) != 0x80)
    return -1;
  *used = 2;
  return (text[0] & 0x1f) << 6 | (text[1] & 0x3f);
}

bool byte_alphabet_decode (const char *symbols, size_t bytes, char *token, size_t *token_bytes)
{
  size_t count = 0, used;
  for (size_t at = 0; at < bytes; at += used) {
    int code = symbol_code ((const unsigned char *)symbols + at, bytes - at, &used);
    if (code >= BYTES && code < BYTES + (BYTES - PRINTABLE))
      token[count++] = (char)nth_of (other_ranges, code - BYTES);
    else if (code >= 0 && code < BYTES && place_in (printable_ranges, (unsigned char)code) >= 0)
      token[count++] = (char)code;
    else
      return false;
  }
  *token_bytes = count;
  return true;
}
