// The vector instructions that this file is compiled for, as intrinsics.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/// Length of SVE registers where the compiler may rely on it (-msve-vector-bits), else 0.
#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 128
#include <arm_sve.h>
#define ROOFLINE_SVE_BITS __ARM_FEATURE_SVE_BITS
#else
#define ROOFLINE_SVE_BITS 0
#endif
