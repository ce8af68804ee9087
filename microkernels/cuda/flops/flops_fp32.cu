#include "microkernels/cuda/flops/flops_kernels.cuh"

namespace roofline {
namespace {

/// One instruction per operation, which no compiler fuses or folds.
struct Fp32 {
  using Type = float;
  static constexpr const char* precision = "fp32";
  static constexpr int capability(CudaForm) { return 0; }
  static Type from(double x) { return static_cast<Type>(x); }
  static __device__ void fma(Type& b, Type x, Type y) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(b) : "f"(x), "f"(y));
  }
  static __device__ void add(Type& b, Type y) { asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(b) : "f"(y)); }
  static __device__ void mul(Type& b, Type x) { asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(b) : "f"(x)); }
  static __device__ void div(Type& b, Type x) { asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(b) : "f"(x)); }
  static __device__ std::uint64_t bits(Type b) { return __float_as_uint(b); }
};

constexpr auto fp32_table = all_rows<Fp32>();

}  // namespace

std::span<const CudaFlopsKernel> cuda_flops_fp32() { return fp32_table; }

}  // namespace roofline
