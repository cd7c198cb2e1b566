/* Conversion of 16-bit floating-point formats; exact in the direction of float. */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float float_from_bits (uint32_t bits)
{
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* float_from_bf16 -- bfloat16 is the upper half of a float. */
static inline float float_from_bf16 (uint16_t x)
{
  return float_from_bits ((uint32_t)x << 16);
}

/* float_from_f16 -- IEEE 754 binary16, subnormals, infinities and NaN included.  Without branches,
 * so that loops over it become vector code. */
static inline float float_from_f16 (uint16_t x)
{
  uint32_t magnitude = x & 0x7fffu;
  uint32_t sign = (uint32_t)(x & 0x8000u) << 16;
  uint32_t special = magnitude >= 0x7c00u ? 0x7f800000u : 0; /* infinity, NaN */
  /* The exponent's bias is 15 there and 127 here; the product also normalises subnormals. */
  float value = float_from_bits (magnitude << 13) * 0x1p112f;
  uint32_t bits;
  memcpy (&bits, &value, sizeof bits);
  return float_from_bits (sign | special | bits);
}

/* f16_from_float -- rounds to nearest, ties to even; beyond 65504 gives infinity. */
static inline uint16_t f16_from_float (float value)
{
  uint32_t bits;
  memcpy (&bits, &value, sizeof bits);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return (uint16_t)(sign | 0x7e00u);
  if (magnitude >= 0x47800000u)
    return (uint16_t)(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    /* Below 2^-14 adding 0.5 rounds at the last bit of a binary16 subnormal, 2^-24. */
    float shifted = float_from_bits (magnitude) + 0.5f;
    uint32_t shifted_bits;
    memcpy (&shifted_bits, &shifted, sizeof shifted_bits);
    return (uint16_t)(sign | (shifted_bits - 0x3f000000u));
  }
  uint32_t odd = (magnitude >> 13) & 1u;
  return (uint16_t)(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

#endif
