#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

#include "microkernels/cuda/flops/tensor.hpp"
#include "microkernels/cuda/flops/tensor_inputs.cuh"
#include "microkernels/cuda/loops.cuh"

// Instructions that a target lacks are not called there.
#pragma nv_diag_suppress 177

namespace roofline {
namespace {

/// An instruction of a warp. For all shapes with 16 rows the odd registers of A hold the rows 8 to 15; registers of B
/// hold one column; registers of D hold the columns 2 (lane % 4) and the next (PTX ISA, matrix fragments for mma).
#if defined(__CUDA_ARCH__)
#define ROOFLINE_CAPABILITY (__CUDA_ARCH__ / 10)
#define ROOFLINE_HAS_PTX(capability) (__CUDA_ARCH__ >= 10 * (capability))
#else
#define ROOFLINE_CAPABILITY 0
#define ROOFLINE_HAS_PTX(capability) false
#endif

template <class In, class Sum, int rows, int depth, int a_registers, int b_registers, int d_registers, int needs>
struct Shape {
  using A = In;
  using D = Sum;
  static constexpr int m = rows, n = 8, k = depth, na = a_registers, nb = b_registers, nd = d_registers;
  static constexpr int capability = needs;
  /// Sums of doubles and integers are exact however long: they take A only, the others A and -A in turn.
  static constexpr bool alternates = std::is_same_v<Sum, float> || std::is_same_v<Sum, __half2>;
};

struct MmaFp64 : Shape<Fp64, double, 8, 4, 1, 1, 2, 80> {
  static constexpr const char *name = "mma.m8n8k4", *precision = "fp64";
  static __device__ void run(double (&d)[2], const double (&a)[1], const double (&b)[1]) {
#if ROOFLINE_HAS_PTX(80)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[0]), "d"(b[0]));
#endif
  }
};
struct MmaFp64K4 : Shape<Fp64, double, 16, 4, 2, 1, 4, 90> {
  static constexpr const char *name = "mma.m16n8k4", *precision = "fp64";
  static __device__ void run(double (&d)[4], const double (&a)[2], const double (&b)[1]) {
#if ROOFLINE_HAS_PTX(90)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
#endif
  }
};
struct MmaFp64K8 : Shape<Fp64, double, 16, 8, 4, 2, 4, 90> {
  static constexpr const char *name = "mma.m16n8k8", *precision = "fp64";
  static __device__ void run(double (&d)[4], const double (&a)[4], const double (&b)[2]) {
#if ROOFLINE_HAS_PTX(90)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
  }
};
struct MmaFp64K16 : Shape<Fp64, double, 16, 16, 8, 4, 4, 90> {
  static constexpr const char *name = "mma.m16n8k16", *precision = "fp64";
  static __device__ void run(double (&d)[4], const double (&a)[8], const double (&b)[4]) {
#if ROOFLINE_HAS_PTX(90)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
#endif
  }
};

// Four registers of A, two of B, four of D; they differ in the types only.
#define ROOFLINE_MMA_4_2_4(Name, In, Sum, constraint, depth, needs, text_name, text_precision, types)             \
  struct Name : Shape<In, Sum, 16, depth, 4, 2, 4, needs> {                                                       \
    static constexpr const char *name = text_name, *precision = text_precision;                                   \
    static __device__ void run(Sum (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {           \
      if constexpr (ROOFLINE_HAS_PTX(needs))                                                                      \
        asm volatile("mma.sync.aligned." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                     : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3])     \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                         \
    }                                                                                                             \
  };
ROOFLINE_MMA_4_2_4(MmaTf32, Tf32, float, "f", 8, 80, "mma.m16n8k8", "tf32", "m16n8k8.row.col.f32.tf32.tf32.f32")
ROOFLINE_MMA_4_2_4(MmaFp16, Fp16, float, "f", 16, 80, "mma.m16n8k16", "fp16", "m16n8k16.row.col.f32.f16.f16.f32")
ROOFLINE_MMA_4_2_4(MmaBf16, Bf16, float, "f", 16, 80, "mma.m16n8k16", "bf16", "m16n8k16.row.col.f32.bf16.bf16.f32")
ROOFLINE_MMA_4_2_4(MmaFp8, Fp8, float, "f", 32, 89, "mma.m16n8k32", "fp8", "m16n8k32.row.col.f32.e4m3.e4m3.f32")
ROOFLINE_MMA_4_2_4(MmaInt8, Int8, int, "r", 32, 80, "mma.m16n8k32", "int8", "m16n8k32.row.col.s32.s8.s8.s32")
#undef ROOFLINE_MMA_4_2_4

/// Data-centre GPUs since Hopper, and Thor, have no such instruction (the compiler converts to halves): there wgmma and
/// its successors multiply 8-bit floats.
ROOFLINE_BODY constexpr bool lacks_fp8(int capability) {
  return capability == 90 || capability == 100 || capability == 103 || capability == 110;
}

/// Sums in halves, two in a register.
struct MmaFp16Sums : Shape<Fp16, __half2, 16, 16, 4, 2, 2, 80> {
  static constexpr const char *name = "mma.m16n8k16.f16sums", *precision = "fp16";
  static __device__ void run(__half2 (&d)[2], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#if ROOFLINE_HAS_PTX(80)
    auto& low = reinterpret_cast<std::uint32_t&>(d[0]);
    auto& high = reinterpret_cast<std::uint32_t&>(d[1]);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(low), "+r"(high)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
  }
};
/// Turing's shapes.
struct MmaFp16K8 : Shape<Fp16, float, 16, 8, 2, 1, 4, 75> {
  static constexpr const char *name = "mma.m16n8k8", *precision = "fp16";
  static __device__ void run(float (&d)[4], const std::uint32_t (&a)[2], const std::uint32_t (&b)[1]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct MmaInt8K16 : Shape<Int8, int, 8, 16, 1, 1, 2, 75> {
  static constexpr const char *name = "mma.m8n8k16", *precision = "int8";
  static __device__ void run(int (&d)[2], const std::uint32_t (&a)[1], const std::uint32_t (&b)[1]) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0]), "r"(b[0]));
  }
};

__device__ double exact(float x) { return x; }
template <class T>
__device__ T exact(T x) {
  return x;
}

template <class Mma, int chains, int steps>
__global__ void __launch_bounds__(256) run_mma(int iterations, std::uint64_t* out) {
  constexpr bool missing = std::is_same_v<typename Mma::A, Fp8> && lacks_fp8(ROOFLINE_CAPABILITY);
  if constexpr (ROOFLINE_HAS_PTX(Mma::capability) && !missing) {
    using In = typename Mma::A;
    const int lane = static_cast<int>(threadIdx.x % 32), group = lane / 4;
    typename In::Register a[Mma::na], minus_a[Mma::na], b[Mma::nb];
#pragma unroll
    for (int r = 0; r < Mma::na; ++r) {
      const int row = group + (Mma::m == 16 ? 8 * (r % 2) : 0);
      a[r] = In::pack(tensor_row(row)), minus_a[r] = In::pack(-tensor_row(row));
    }
#pragma unroll
    for (int r = 0; r < Mma::nb; ++r) b[r] = In::pack(tensor_column(group));
    typename Mma::D d[chains][Mma::nd] = {};

    const BlockClock clock;
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
      for (int step = 0; step < steps; ++step)
#pragma unroll
        for (int chain = 0; chain < chains; ++chain)
          Mma::run(d[chain], Mma::alternates && step % 2 == 1 ? minus_a : a, b);
    clock.stop(out);

    const std::int64_t products = Mma::alternates ? 1 : std::int64_t{iterations} * steps + 1;
    int differences = 0;
#pragma unroll
    for (int chain = 0; chain < chains; ++chain) {
      Mma::run(d[chain], a, b);
#pragma unroll
      for (int r = 0; r < Mma::nd; ++r) {
        constexpr bool packed = std::is_same_v<typename Mma::D, __half2>;
        const int row = group + 8 * (packed ? r : r / 2), column = 2 * (lane % 4) + (packed ? 0 : r % 2);
        differences += wrong(exact(d[chain][r]), row, column, products * Mma::k);
      }
    }
    out[2 * gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = differences == 0 ? tensor_right : differences;
  }
}

template <class Mma, int chains>
struct TensorLoop {
  static constexpr int steps = 64 / chains;  // even
  static constexpr auto kernel = run_mma<Mma, chains, steps>;
  static cudaError_t launch(const LoopLaunch& l) {
    kernel<<<l.blocks, l.threads>>>(l.iterations, l.out);
    return cudaGetLastError();
  }
  static int blocks_per_sm(int threads) { return resident_blocks(kernel, threads, 0, Mma::capability); }
  static constexpr CudaTensorKernel row() {
    return {Mma::name, Mma::precision, Mma::capability, Mma::m, Mma::n, Mma::k, chains, steps, launch, blocks_per_sm};
  }
};

template <class... Mma>
constexpr std::array<CudaTensorKernel, 4 * sizeof...(Mma)> rows() {
  std::array<CudaTensorKernel, 4 * sizeof...(Mma)> all{};
  std::size_t at = 0;
  ((all[at++] = TensorLoop<Mma, 1>::row(), all[at++] = TensorLoop<Mma, 2>::row(), all[at++] = TensorLoop<Mma, 4>::row(),
    all[at++] = TensorLoop<Mma, 8>::row()),
   ...);
  return all;
}

constexpr auto tensor_table = rows<MmaFp64, MmaFp64K4, MmaFp64K8, MmaFp64K16, MmaTf32, MmaFp16, MmaFp16Sums, MmaFp16K8,
                                   MmaBf16, MmaFp8, MmaInt8, MmaInt8K16>();

}  // namespace

std::span<const CudaTensorKernel> cuda_tensor_kernels() { return tensor_table; }

bool runs_on(const CudaTensorKernel& kernel, int capability) {
  const bool missing = std::string_view(kernel.precision) == "fp8" && lacks_fp8(capability);
  return capability >= kernel.capability && !missing;
}

}  // namespace roofline
