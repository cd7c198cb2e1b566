#include "kernel/train.h"

extern const kern_train kern_train_generic_f32, kern_train_generic_f64;
#if defined(__x86_64__)
extern const kern_train kern_train_avx2_f32, kern_train_avx2_f64;
extern const kern_train kern_train_avx512_f32, kern_train_avx512_f64;
#endif

const kern_train *kern_train_table (kern_isa isa, attn_type type)
{
  const int single = type == ATTN_F32;
  switch (isa) {
#if defined(__x86_64__)
  case KERN_AVX2:
    return single ? &kern_train_avx2_f32 : &kern_train_avx2_f64;
  case KERN_AVX512:
    return single ? &kern_train_avx512_f32 : &kern_train_avx512_f64;
#endif
  default:
    return single ? &kern_train_generic_f32 : &kern_train_generic_f64;
  }
}
