/* GPT-2's printable alphabet for bytes, in which vocab.json and merges.txt write tokens.
 * The 188 bytes 0x21-0x7E, 0xA1-0xAC and 0xAE-0xFF stand for the code points of the same number;
 * the n-th of the other 68 (counted from 0, in rising order) for the code point 256 + n.  The space
 * is U+0120, for example.  (Function bytes_to_unicode of the published GPT-2 code.) */
#ifndef TEXT_BYTE_ALPHABET_H
#define TEXT_BYTE_ALPHABET_H

#include <stdbool.h>
#include <stddef.h>

enum { BYTE_SYMBOL_MAX = 2 }; /* bytes of UTF-8 that one symbol takes at most */

/* byte_in_order -- the byte that has id RANK in GPT-2's vocabulary, 0 <= RANK < 256: the 188
 * printable ones in rising order, then the others. */
unsigned char byte_in_order (int rank);

/* byte_symbol -- writes the UTF-8 of BYTE's symbol to TEXT; returns the number of bytes, 1 or 2. */
size_t byte_symbol (unsigned char byte, char text[BYTE_SYMBOL_MAX]);

/* byte_alphabet_decode -- the bytes that SYMBOLS (UTF-8 of symbols) stand for.
 * out:     token: room for `bytes` bytes; *token_bytes of them are written.
 * Returns false when a character is not in the alphabet. */
bool byte_alphabet_decode (const char *symbols, size_t bytes, char *token, size_t *token_bytes);

#endif
