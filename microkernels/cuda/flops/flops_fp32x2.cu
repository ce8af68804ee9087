#include "microkernels/cuda/flops/flops_kernels.cuh"

namespace roofline {
namespace {

/// One instruction per operation on two floats in a pair of registers: since compute capability 10.0, where it may take
/// them to reach the peak of FP32. Nothing is launched on older ones.
struct Fp32x2 {
  using Type = std::uint64_t;
  static constexpr const char* precision = "fp32x2";
  static constexpr int capability(CudaForm) { return 100; }
  static Type from(double x) {
    const auto value = static_cast<float>(x);
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    return Type{word} << 32 | word;
  }
  static __device__ void fma(Type& b, Type x, Type y) {
#if __CUDA_ARCH__ >= 1000
    asm volatile("fma.rn.f32x2 %0, %0, %1, %2;" : "+l"(b) : "l"(x), "l"(y));
#endif
  }
  static __device__ void add(Type& b, Type y) {
#if __CUDA_ARCH__ >= 1000
    asm volatile("add.rn.f32x2 %0, %0, %1;" : "+l"(b) : "l"(y));
#endif
  }
  static __device__ void mul(Type& b, Type x) {
#if __CUDA_ARCH__ >= 1000
    asm volatile("mul.rn.f32x2 %0, %0, %1;" : "+l"(b) : "l"(x));
#endif
  }
  static __device__ std::uint64_t bits(Type b) { return b; }
};

// No mul_add: ptxas of CUDA 13.0 makes one FFMA2 of a product and a sum of pairs, although both round to nearest. No
// constants: instructions on pairs take none from the constant bank.
using Pairs = FlopsTable<Fp32x2>;
constexpr auto table = join(
    Pairs::rows<CudaForm::fma, Operands::registers, 4, 8, 16>(), Pairs::rows<CudaForm::fma, Operands::twice, 4, 8>(),
    Pairs::rows<CudaForm::add, Operands::registers, 4, 8>(), Pairs::rows<CudaForm::mul, Operands::registers, 4, 8>());

}  // namespace

std::span<const CudaFlopsKernel> cuda_flops_fp32x2() { return table; }

}  // namespace roofline
