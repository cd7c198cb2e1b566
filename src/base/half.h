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

/* float_from_f16 -- IEEE 754 binary16, subnormals, infinities and NaN included. */
static inline float float_from_f16 (uint16_t x)
{
  uint32_t sign = (uint32_t)(x & 0x8000u) << 16;
  uint32_t exponent = (x >> 10) & 0x1fu;
  uint32_t fraction = x & 0x3ffu;
  if (exponent == 0x1f)
    return float_from_bits (sign | 0x7f800000u | fraction << 13);
  if (exponent != 0)
    return float_from_bits (sign | (exponent + 112) << 23 | fraction << 13);
  float magnitude = (float)fraction * 0x1p-24f;
  return sign != 0 ? -magnitude : magnitude;
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
