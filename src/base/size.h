/* Arithmetic on sizes that come from a user or a file. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* size_mul, size_add -- *result = a*b, a + b; false (and *result unspecified) when it overflows. */
static inline bool size_mul (size_t a, size_t b, size_t *result)
{
  return !__builtin_mul_overflow (a, b, result);
}

static inline bool size_add (size_t a, size_t b, size_t *result)
{
  return !__builtin_add_overflow (a, b, result);
}

/* size_times, size_plus -- a*b, a + b, or SIZE_MAX when that overflows: no allocator gives as much,
 * so the failure of the allocation is the only one to handle. */
static inline size_t size_times (size_t a, size_t b)
{
  size_t product;
  return size_mul (a, b, &product) ? product : SIZE_MAX;
}

static inline size_t size_plus (size_t a, size_t b)
{
  size_t sum;
  return size_add (a, b, &sum) ? sum : SIZE_MAX;
}

static inline size_t size_min (size_t a, size_t b)
{
  return a < b ? a : b;
}

static inline size_t size_max (size_t a, size_t b)
{
  return a > b ? a : b;
}

/* size_ceil_div -- number of blocks of B that cover A; b > 0. */
static inline size_t size_ceil_div (size_t a, size_t b)
{
  return a / b + (a % b != 0);
}

#endif
