/* The only place that asks the processor what it can do, and the table of what there is for it. */
#include "kernel/kern.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[KERN_ISAS] = {"reference", "generic", "avx2", "avx512"};

const char *kern_isa_name (kern_isa isa)
{
  return names[isa];
}

bool kern_isa_runs (kern_isa isa)
{
  switch (isa) {
  case KERN_REFERENCE:
  case KERN_GENERIC:
    return true;
#if defined(__x86_64__)
  case KERN_AVX2:
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
  case KERN_AVX512:
    return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq") &&
           __builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512bw") &&
           __builtin_cpu_supports ("fma");
#endif
  default:
    return false;
  }
}

kern_isa kern_isa_choose (void)
{
  const char *forced = getenv ("ATTN_KERNEL");
  if (forced != NULL)
    for (int isa = 0; isa < KERN_ISAS; isa++)
      if (strcmp (forced, names[isa]) == 0 && kern_isa_runs ((kern_isa)isa))
        return (kern_isa)isa;
  int best = KERN_ISAS - 1;
  while (!kern_isa_runs ((kern_isa)best))
    best--;
  return (kern_isa)best;
}

#define DECLARE(isa)                                                                               \
  extern const kern_attention kern_attention_##isa##_f32, kern_attention_##isa##_f64;
DECLARE (generic)
#if defined(__x86_64__)
DECLARE (avx2)
DECLARE (avx512)
#endif

const kern_attention *kern_attention_table (kern_isa isa, attn_type type)
{
  switch (isa) {
  case KERN_GENERIC:
    return type == ATTN_F32 ? &kern_attention_generic_f32 : &kern_attention_generic_f64;
#if defined(__x86_64__)
  case KERN_AVX2:
    return type == ATTN_F32 ? &kern_attention_avx2_f32 : &kern_attention_avx2_f64;
  case KERN_AVX512:
    return type == ATTN_F32 ? &kern_attention_avx512_f32 : &kern_attention_avx512_f64;
#endif
  default:
    return NULL;
  }
}
