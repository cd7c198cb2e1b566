/* The element type of training: float, or double where the finite-difference tests compile
 * src/train with -DATTN_TRAIN_F64. */
#ifndef TRAIN_REAL_H
#define TRAIN_REAL_H

#include "attn/attention.h"
#include "kernel/matmul.h"

#ifdef ATTN_TRAIN_F64
typedef double real;
#define REAL_TYPE ATTN_F64
#define real_gemm matmul_gemm_f64
#else
typedef float real;
#define REAL_TYPE ATTN_F32
#define real_gemm matmul_gemm_f32
#endif

#endif
