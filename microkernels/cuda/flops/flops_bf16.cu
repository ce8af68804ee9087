#include <cuda_bf16.h>

#include "microkernels/cuda/flops/flops_kernels.cuh"

namespace roofline {
namespace {

/// One instruction per operation on two values. Older architectures have no such instructions: nothing is launched
/// there.
struct Bf16x2 {
  using Type = __nv_bfloat162;
  static constexpr const char* precision = "bf16x2";
  /// From which a form has its instructions.
  static constexpr int capability(CudaForm form) { return form == CudaForm::fma || form == CudaForm::div ? 80 : 90; }
  static Type from(double x) { return __bfloat162bfloat162(__double2bfloat16(x)); }
  static __device__ std::uint32_t& raw(Type& b) { return *reinterpret_cast<std::uint32_t*>(&b); }
  static __device__ void fma(Type& b, Type x, Type y) {
#if __CUDA_ARCH__ >= 800
    asm volatile("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(raw(b)) : "r"(raw(x)), "r"(raw(y)));
#endif
  }
  static __device__ void add(Type& b, Type y) {
#if __CUDA_ARCH__ >= 900
    asm volatile("add.rn.bf16x2 %0, %0, %1;" : "+r"(raw(b)) : "r"(raw(y)));
#endif
  }
  static __device__ void mul(Type& b, Type x) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mul.rn.bf16x2 %0, %0, %1;" : "+r"(raw(b)) : "r"(raw(x)));
#endif
  }
  static __device__ void div(Type& b, Type x) {
#if __CUDA_ARCH__ >= 800
    b = __h2div(b, x);
#endif
  }
  static __device__ std::uint64_t bits(Type b) { return raw(b); }
};

constexpr auto table = all_rows<Bf16x2>();

}  // namespace

std::span<const CudaFlopsKernel> cuda_flops_bf16() { return table; }

}  // namespace roofline
