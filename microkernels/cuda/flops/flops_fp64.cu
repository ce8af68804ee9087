#include "microkernels/cuda/flops/flops_kernels.cuh"

namespace roofline {
namespace {

/// One instruction per operation, which no compiler fuses or folds.
struct Fp64 {
  using Type = double;
  static constexpr const char* precision = "fp64";
  static constexpr int capability(CudaForm) { return 0; }
  static Type from(double x) { return x; }
  static __device__ void fma(Type& b, Type x, Type y) {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(b) : "d"(x), "d"(y));
  }
  static __device__ void add(Type& b, Type y) { asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(b) : "d"(y)); }
  static __device__ void mul(Type& b, Type x) { asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(b) : "d"(x)); }
  static __device__ void div(Type& b, Type x) { asm volatile("div.rn.f64 %0, %0, %1;" : "+d"(b) : "d"(x)); }
  static __device__ std::uint64_t bits(Type b) { return static_cast<std::uint64_t>(__double_as_longlong(b)); }
};

constexpr auto fp64_table = all_rows<Fp64>();

}  // namespace

std::span<const CudaFlopsKernel> cuda_flops_fp64() { return fp64_table; }

}  // namespace roofline
