#include "kernel/backward.h"

extern const kern_backward kern_backward_generic_f32, kern_backward_generic_f64;
#if defined(__x86_64__)
extern const kern_backward kern_backward_avx2_f32, kern_backward_avx2_f64;
extern const kern_backward kern_backward_avx512_f32, kern_backward_avx512_f64;
#endif

const kern_backward *kern_backward_table (kern_isa isa, attn_type type)
{
  switch (isa) {
  case KERN_GENERIC:
    return type == ATTN_F32 ? &kern_backward_generic_f32 : &kern_backward_generic_f64;
#if defined(__x86_64__)
  case KERN_AVX2:
    return type == ATTN_F32 ? &kern_backward_avx2_f32 : &kern_backward_avx2_f64;
  case KERN_AVX512:
    return type == ATTN_F32 ? &kern_backward_avx512_f32 : &kern_backward_avx512_f64;
#endif
  default:
    return NULL;
  }
}
