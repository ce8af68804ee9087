#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "microkernels/cuda/flops/tensor.hpp"

namespace roofline {
namespace {  // of every file that includes it

/// Small integers as registers hold them.
struct Fp64 {
  using Register = double;
  static __device__ Register pack(int x) { return x; }
};
struct Tf32 {
  using Register = std::uint32_t;
  static __device__ Register pack(int x) { return __float_as_uint(static_cast<float>(x)); }
};
struct Fp16 {
  using Register = std::uint32_t;
  static __device__ Register pack(int x) { return __half_as_ushort(__int2half_rn(x)) * 0x10001u; }
};
struct Bf16 {
  using Register = std::uint32_t;
  static __device__ Register pack(int x) {
    return __bfloat16_as_ushort(__float2bfloat16(static_cast<float>(x))) * 0x10001u;
  }
};
struct Fp8 {
  using Register = std::uint32_t;
  static __device__ Register pack(int x) {
    return __nv_cvt_float_to_fp8(static_cast<float>(x), __NV_SATFINITE, __NV_E4M3) * 0x01010101u;
  }
};
struct Int8 {
  using Register = std::uint32_t;
  static __device__ Register pack(int x) { return (static_cast<std::uint32_t>(x) & 0xffu) * 0x01010101u; }
};

/// Whether a register of D differs from k tensor_row(row) tensor_column(column); integers modulo 2^32.
__device__ int wrong(double got, int row, int column, std::int64_t k) {
  return got != static_cast<double>(k * tensor_row(row) * tensor_column(column));
}
__device__ int wrong(int got, int row, int column, std::int64_t k) {
  return got != static_cast<int>(static_cast<std::uint32_t>(k * tensor_row(row) * tensor_column(column)));
}
__device__ int wrong(__half2 got, int row, int column, std::int64_t k) {
  return wrong(double{__low2float(got)}, row, column, k) + wrong(double{__high2float(got)}, row, column + 1, k);
}

}  // namespace
}  // namespace roofline
