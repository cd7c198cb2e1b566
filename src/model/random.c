#include "attn/gpt2.h"

static uint64_t rotate_left (uint64_t x, int bits)
{
  return (x << bits) | (x >> (64 - bits));
}

/* splitmix64 (Steele, Lea and Flood 2014), which the authors of xoshiro recommend for seeding. */
static uint64_t splitmix64 (uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void attn_random_seed (attn_random *random, uint64_t seed)
{
  for (int i = 0; i < 4; i++)
    random->s[i] = splitmix64 (&seed);
}

/* xoshiro256** */
static uint64_t next_bits (attn_random *random)
{
  uint64_t *s = random->s;
  uint64_t result = rotate_left (s[1] * 5, 7) * 9;
  uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate_left (s[3], 45);
  return result;
}

double attn_random_uniform (attn_random *random)
{
  return (double)(next_bits (random) >> 11) * 0x1p-53;
}
