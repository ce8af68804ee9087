#pragma once

/// Before a loop of a kernel body: unrolls it n times in every space; 1 keeps it a loop.
#define ROOFLINE_PRAGMA(text) _Pragma(#text)
#if defined(__CUDA_ARCH__)
#define ROOFLINE_UNROLL(n) ROOFLINE_PRAGMA(unroll n)
#elif defined(__CUDACC__)
#define ROOFLINE_UNROLL(n)  // the host's half of a .cu file, whose compiler passes know neither form
#else
#define ROOFLINE_UNROLL(n) ROOFLINE_PRAGMA(GCC unroll n)
#endif
