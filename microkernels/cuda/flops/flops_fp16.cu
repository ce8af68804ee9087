#include <cuda_fp16.h>

#include "microkernels/cuda/flops/flops_kernels.cuh"

namespace roofline {
namespace {

/// One instruction per operation on two values.
struct Fp16x2 {
  using Type = __half2;
  static constexpr const char* precision = "fp16x2";
  static constexpr int capability(CudaForm) { return 0; }
  static Type from(double x) { return __half2half2(__double2half(x)); }
  static __device__ std::uint32_t& raw(Type& b) { return *reinterpret_cast<std::uint32_t*>(&b); }
  static __device__ void fma(Type& b, Type x, Type y) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(raw(b)) : "r"(raw(x)), "r"(raw(y)));
  }
  static __device__ void add(Type& b, Type y) { asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(raw(b)) : "r"(raw(y))); }
  static __device__ void mul(Type& b, Type x) { asm volatile("mul.rn.f16x2 %0, %0, %1;" : "+r"(raw(b)) : "r"(raw(x))); }
  static __device__ void div(Type& b, Type x) { b = __h2div(b, x); }
  static __device__ std::uint64_t bits(Type b) { return raw(b); }
};

constexpr auto fp16_table = all_rows<Fp16x2>();

}  // namespace

std::span<const CudaFlopsKernel> cuda_flops_fp16() { return fp16_table; }

}  // namespace roofline
