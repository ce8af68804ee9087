#include <cuda_fp16.h>

#include "microkernels/cuda/flops/flops_kernels.cuh"

namespace roofline {
namespace {

/// One instruction per operation, which no compiler fuses or folds.
#define ROOFLINE_SCALAR(Name, T, text, type, constraint, to_bits)                                         \
  struct Name {                                                                                           \
    using Type = T;                                                                                       \
    static constexpr const char* precision = text;                                                        \
    static constexpr int capability(CudaForm) { return 0; }                                               \
    static Type from(double x) { return static_cast<Type>(x); }                                           \
    static __device__ void fma(Type& b, Type x, Type y) {                                                 \
      asm volatile("fma.rn." type " %0, %0, %1, %2;" : "+" constraint(b) : constraint(x), constraint(y)); \
    }                                                                                                     \
    static __device__ void add(Type& b, Type y) {                                                         \
      asm volatile("add.rn." type " %0, %0, %1;" : "+" constraint(b) : constraint(y));                    \
    }                                                                                                     \
    static __device__ void mul(Type& b, Type x) {                                                         \
      asm volatile("mul.rn." type " %0, %0, %1;" : "+" constraint(b) : constraint(x));                    \
    }                                                                                                     \
    static __device__ void div(Type& b, Type x) {                                                         \
      asm volatile("div.rn." type " %0, %0, %1;" : "+" constraint(b) : constraint(x));                    \
    }                                                                                                     \
    static __device__ std::uint64_t bits(Type b) { return static_cast<std::uint64_t>(to_bits(b)); }       \
  };
ROOFLINE_SCALAR(Fp64, double, "fp64", "f64", "d", __double_as_longlong)
ROOFLINE_SCALAR(Fp32, float, "fp32", "f32", "f", __float_as_uint)
#undef ROOFLINE_SCALAR

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

constexpr auto fp64_table = all_rows<Fp64>();
constexpr auto fp32_table = all_rows<Fp32>();
constexpr auto fp16_table = all_rows<Fp16x2>();

}  // namespace

std::span<const CudaFlopsKernel> cuda_flops_fp64() { return fp64_table; }
std::span<const CudaFlopsKernel> cuda_flops_fp32() { return fp32_table; }
std::span<const CudaFlopsKernel> cuda_flops_fp16() { return fp16_table; }

}  // namespace roofline
