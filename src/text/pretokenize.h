/* Splitting text into words before byte-pair encoding: GPT-2's pattern
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 * matched by hand.  \s is Unicode's White_Space, \p{L} and \p{N} are the general categories Letter
 * and Number (of the Unicode version of utf8proc). */
#ifndef TEXT_PRETOKENIZE_H
#define TEXT_PRETOKENIZE_H

#include <stddef.h>

/* word_end -- index behind the word that starts at START; start < bytes.  The words from 0 on cover
 * every byte once.  A byte that is not part of valid UTF-8 (cut off, overlong, a surrogate, a lone
 * continuation byte) counts as one character that is no letter, number or space, as the replacement
 * character U+FFFD would.
 * Cost: O(bytes of the word). */
size_t word_end (const char *text, size_t bytes, size_t start);

#endif
