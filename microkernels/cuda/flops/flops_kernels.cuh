#pragma once
#include <array>
#include <cstring>

#include "microkernels/cuda/flops/flops.hpp"
#include "microkernels/cuda/loops.cuh"

namespace roofline {
namespace {  // one copy per precision

/// Instructions in the loop of a kernel: far more than the loop's own, and 4 KiB, which the instruction caches nearest
/// to the schedulers hold.
constexpr int loop_instructions = 256;

template <CudaForm form, Operands operands, class V>
__device__ __forceinline__ void step(typename V::Type& b, typename V::Type scale, typename V::Type offset) {
  if constexpr (form == CudaForm::fma) {
    if constexpr (operands == Operands::square)
      V::fma(b, b, offset);
    else if constexpr (operands == Operands::twice)
      V::fma(b, scale, b);
    else
      V::fma(b, scale, offset);
  }
  if constexpr (form == CudaForm::add) V::add(b, offset);
  if constexpr (form == CudaForm::mul) V::mul(b, scale);
  if constexpr (form == CudaForm::div) V::div(b, scale);
}

template <CudaForm form, Operands operands, class V, int chains, int steps>
__global__ void __launch_bounds__(1024)
    run_chains(const typename V::Type* in, typename V::Type scale_parameter, typename V::Type offset_parameter,
               int iterations, std::uint64_t* out) {
  using T = typename V::Type;
  const int lane = threadIdx.x % 32;
  // Other values in other lanes, as far as the compiler knows: operands that it keeps in vector registers.
  const T scale = operands == Operands::constant ? scale_parameter : in[flops_input_scale + lane];
  const T offset = operands == Operands::constant ? offset_parameter : in[flops_input_offset + lane];
  T b[chains];
#pragma unroll
  for (int chain = 0; chain < chains; ++chain) b[chain] = in[chain];

  BlockClock clock;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int k = 0; k < steps; ++k) {
      if constexpr (form == CudaForm::mul_add) {
#pragma unroll
        for (int chain = 0; chain < chains; ++chain) V::mul(b[chain], scale);
#pragma unroll
        for (int chain = 0; chain < chains; ++chain) V::add(b[chain], offset);
      } else {
#pragma unroll
        for (int chain = 0; chain < chains; ++chain) step<form, operands, V>(b[chain], scale, offset);
      }
    }
  }
  clock.stop(out);

  std::uint64_t sum = 0;
#pragma unroll
  for (int chain = 0; chain < chains; ++chain) sum = add_to_checksum(sum, V::bits(b[chain]));
  out[2 * gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <CudaForm form, Operands operands, class V, int chains>
struct Loop {
  static constexpr int instructions_per_step = form == CudaForm::mul_add ? 2 : form == CudaForm::div ? 16 : 1;
  static constexpr int steps = std::max(1, loop_instructions / chains / instructions_per_step);
  static constexpr auto kernel = run_chains<form, operands, V, chains, steps>;

  static cudaError_t launch(const LoopLaunch& l) {
    kernel<<<l.blocks, l.threads>>>(static_cast<const typename V::Type*>(l.in), V::from(l.scale), V::from(l.offset),
                                    l.iterations, l.out);
    return cudaGetLastError();
  }
  static int blocks_per_sm(int threads) { return resident_blocks(kernel, threads, 0, V::capability(form)); }
  static constexpr CudaFlopsKernel row() {
    return {V::precision, form, operands, chains, steps, launch, blocks_per_sm};
  }
};

/// The generated variants of one precision.
template <class V>
struct FlopsTable {
  template <CudaForm form, Operands operands, int... chains>
  static constexpr std::array<CudaFlopsKernel, sizeof...(chains)> rows() {
    return {Loop<form, operands, V, chains>::row()...};
  }
  static constexpr auto fma() { return rows<CudaForm::fma, Operands::registers, 1, 2, 4, 8, 16>(); }
  static constexpr auto fma_square() { return rows<CudaForm::fma, Operands::square, 1, 4, 8, 16>(); }
  static constexpr auto fma_twice() { return rows<CudaForm::fma, Operands::twice, 4, 8>(); }
  static constexpr auto fma_constant() { return rows<CudaForm::fma, Operands::constant, 4, 8, 16>(); }
  template <CudaForm form>
  static constexpr auto unfused() {
    return rows<form, Operands::registers, 1, 4, 8, 16>();
  }
  template <CudaForm form>
  static constexpr auto unfused_constant() {
    return rows<form, Operands::constant, 8>();
  }
  static constexpr auto div() { return rows<CudaForm::div, Operands::registers, 1, 2, 4>(); }
};

template <std::size_t... sizes>
constexpr auto join(const std::array<CudaFlopsKernel, sizes>&... parts) {
  std::array<CudaFlopsKernel, (sizes + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const auto& kernel : part) all[at++] = kernel;
  };
  (append(parts), ...);
  return all;
}

template <class V>
constexpr auto all_rows() {
  using Table = FlopsTable<V>;
  return join(Table::fma(), Table::fma_square(), Table::fma_twice(), Table::fma_constant(),
              Table::template unfused<CudaForm::mul_add>(), Table::template unfused_constant<CudaForm::mul_add>(),
              Table::template unfused<CudaForm::add>(), Table::template unfused_constant<CudaForm::add>(),
              Table::template unfused<CudaForm::mul>(), Table::template unfused_constant<CudaForm::mul>(),
              Table::div());
}

}  // namespace
}  // namespace roofline
