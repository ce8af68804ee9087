#include <cuda_fp16.h>

#include <array>

#include "microkernels/cuda/flops/tensor.hpp"
#include "microkernels/cuda/flops/tensor_inputs.cuh"
#include "microkernels/cuda/loops.cuh"

// Compiled for sm_90a only: these instructions exist on Hopper and nowhere else.

#pragma nv_diag_suppress 177  // not every type of input is used here

namespace roofline {
namespace {

constexpr int rows = 64, columns = 256, row_bytes = 128, registers = 128;

// D, and the descriptors of A and B.
#define ROOFLINE_OPERANDS                                                                                    \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "    \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42," \
  " %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, "    \
  "%63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83," \
  " %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103," \
  " %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, "  \
  "%121, %122, %123, %124, %125, %126, %127}, %128, %129, "
#define ROOFLINE_D4(c, i) "+" c(d[i]), "+" c(d[i + 1]), "+" c(d[i + 2]), "+" c(d[i + 3])
#define ROOFLINE_D16(c, i) ROOFLINE_D4(c, i), ROOFLINE_D4(c, i + 4), ROOFLINE_D4(c, i + 8), ROOFLINE_D4(c, i + 12)
#define ROOFLINE_D64(c, i) ROOFLINE_D16(c, i), ROOFLINE_D16(c, i + 16), ROOFLINE_D16(c, i + 32), ROOFLINE_D16(c, i + 48)
#define ROOFLINE_WGMMA(constraint, types, flags)                                     \
  asm volatile("wgmma.mma_async.sync.aligned." types " " ROOFLINE_OPERANDS flags ";" \
               : ROOFLINE_D64(constraint, 0), ROOFLINE_D64(constraint, 64)           \
               : "l"(a), "l"(b))

// D = +-A B + D: the first 1 adds D, the next two are the signs of A and B, zeros: neither is transposed.
#define ROOFLINE_WGMMA_FLOAT(Name, In, text_name, text_precision, depth, types, rest)                     \
  struct Name {                                                                                           \
    using A = In;                                                                                         \
    using D = float;                                                                                      \
    static constexpr const char *name = text_name, *precision = text_precision;                           \
    static constexpr int k = depth;                                                                       \
    template <bool minus>                                                                                 \
    static __device__ __forceinline__ void run(float (&d)[registers], std::uint64_t a, std::uint64_t b) { \
      if constexpr (minus)                                                                                \
        ROOFLINE_WGMMA("f", types, "1, -1, 1" rest);                                                      \
      else                                                                                                \
        ROOFLINE_WGMMA("f", types, "1, 1, 1" rest);                                                       \
    }                                                                                                     \
  };
ROOFLINE_WGMMA_FLOAT(Tf32Group, Tf32, "wgmma.m64n256k8", "tf32", 8, "m64n256k8.f32.tf32.tf32", "")
ROOFLINE_WGMMA_FLOAT(Fp16Group, Fp16, "wgmma.m64n256k16", "fp16", 16, "m64n256k16.f32.f16.f16", ", 0, 0")
ROOFLINE_WGMMA_FLOAT(Bf16Group, Bf16, "wgmma.m64n256k16", "bf16", 16, "m64n256k16.f32.bf16.bf16", ", 0, 0")
ROOFLINE_WGMMA_FLOAT(Fp8Group, Fp8, "wgmma.m64n256k32", "fp8", 32, "m64n256k32.f32.e4m3.e4m3", "")
/// Integers have no signs: sums modulo 2^32.
struct Int8Group {
  using A = Int8;
  using D = int;
  static constexpr const char *name = "wgmma.m64n256k32", *precision = "int8";
  static constexpr int k = 32;
  template <bool minus>
  static __device__ __forceinline__ void run(int (&d)[registers], std::uint64_t a, std::uint64_t b) {
    ROOFLINE_WGMMA("r", "m64n256k32.s32.s8.s8", "1");
  }
};

/// A matrix of rows of 128 B, K fastest, in the 128 B swizzle: groups of eight rows are 1024 B apart. Rows here hold
/// one value, so the order within a row does not matter.
__device__ std::uint64_t descriptor(const void* matrix) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(matrix));
  return (address & 0x3ffff) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{8 * row_bytes >> 4} << 32 |
         std::uint64_t{1} << 62;
}

/// The instruction writes registers behind the compiler's back, until the wait: they are not to be read before.
__device__ void after_wait(float& x) { asm volatile("" : "+f"(x)::"memory"); }
__device__ void after_wait(int& x) { asm volatile("" : "+r"(x)::"memory"); }

template <class Group, int steps>
__global__ void __launch_bounds__(128) run_wgmma(int iterations, std::uint64_t* out) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  __shared__ __align__(1024) std::uint32_t a_rows[rows * row_bytes / 4];
  __shared__ __align__(1024) std::uint32_t b_columns[columns * row_bytes / 4];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  for (int i = thread; i < rows * row_bytes / 4; i += 128) a_rows[i] = Group::A::pack(tensor_row(i / (row_bytes / 4)));
  for (int i = thread; i < columns * row_bytes / 4; i += 128)
    b_columns[i] = Group::A::pack(tensor_column(i / (row_bytes / 4)));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the tensor cores read what these threads wrote
  __syncthreads();
  const std::uint64_t a = descriptor(a_rows), b = descriptor(b_columns);
  typename Group::D d[registers] = {};

  const BlockClock clock;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < steps; step += 2) {  // the next 32 B of the rows: 2 in a descriptor
      Group::template run<false>(d, a + 2 * (step % 4), b + 2 * (step % 4));
      Group::template run<true>(d, a + 2 * (step % 4 + 1), b + 2 * (step % 4 + 1));
    }
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  clock.stop(out);

  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  Group::template run<false>(d, a, b);
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (auto& x : d) after_wait(x);
  const std::int64_t products = std::is_same_v<typename Group::D, int> ? std::int64_t{iterations} * steps + 1 : 1;
  int differences = 0;
#pragma unroll
  for (int r = 0; r < registers; ++r) {
    const int row = 16 * (thread / 32) + lane / 4 + 8 * (r / 2 % 2), column = 8 * (r / 4) + 2 * (lane % 4) + r % 2;
    differences += wrong(d[r], row, column, products * Group::k);
  }
  out[2 * gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = differences == 0 ? tensor_right : differences;
#endif
}

template <class Group>
struct Loop {
  static constexpr int steps = 8;
  static constexpr auto kernel = run_wgmma<Group, steps>;
  static cudaError_t launch(const LoopLaunch& l) {
    if (l.threads % 128 != 0 || l.threads > 128) return cudaErrorInvalidConfiguration;
    kernel<<<l.blocks, l.threads>>>(l.iterations, l.out);
    return cudaGetLastError();
  }
  static int blocks_per_sm(int threads) { return resident_blocks(kernel, threads, 0, 90); }
  /// The work of one warp: a quarter of the rows of its group of four.
  static constexpr CudaTensorKernel row() {
    return {Group::name, Group::precision, 90, rows / 4, columns, Group::k, 1, steps, launch, blocks_per_sm};
  }
};

constexpr std::array table{Loop<Tf32Group>::row(), Loop<Fp16Group>::row(), Loop<Bf16Group>::row(),
                           Loop<Fp8Group>::row(), Loop<Int8Group>::row()};

}  // namespace

std::span<const CudaTensorKernel> cuda_wgmma_kernels() { return table; }

}  // namespace roofline
