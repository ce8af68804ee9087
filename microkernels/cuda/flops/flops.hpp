#pragma once
#include <driver_types.h>

#include <cstdint>
#include <span>

#include "bench/space/real.hpp"

namespace roofline {

/// The work of a GPU thread on each of its chains b, again and again.
enum class CudaForm { fma, mul_add, add, mul, div };

/// Where the operands of a step come from. A register file has two banks, so an instruction on three different
/// registers can take longer to read its operands than to execute: which form a GPU likes best is found by trying.
enum class Operands {
  registers,  ///< b s + o: s and o in one register each for all chains
  square,     ///< b b + o: two different registers
  twice,      ///< b s + b: two different registers
  constant,   ///< b s + o: s and o are kernel parameters, which instructions read from the constant bank
};

/// Threads, and what they find and leave in device memory.
struct LoopLaunch {
  int blocks = 0, threads = 0;
  int iterations = 0;            ///< of the loop, of `steps` steps each
  std::uint64_t* out = nullptr;  ///< 2 x blocks: BlockClock; then of every thread the checksum of its chains
  const void* in = nullptr;      ///< flops_input values of the kernel's type, or issue_operands
  double scale = 0, offset = 0;  ///< once more, for Operands::constant
};
/// Places of the start values of the chains and of the two operands, which every lane has one of.
inline constexpr int flops_input_scale = 32, flops_input_offset = 64, flops_input = 96;

/// One generated loop.
struct CudaFlopsKernel {
  const char* precision;  ///< fp64, fp32, fp32x2, fp16x2, bf16x2
  CudaForm form;
  Operands operands;
  int chains;
  int steps;  ///< per iteration, of every chain
  cudaError_t (*launch)(const LoopLaunch&);
  int (*blocks_per_sm)(int threads);  ///< that fit at once; 0: not compiled for this device
};

std::span<const CudaFlopsKernel> cuda_flops_fp64();
std::span<const CudaFlopsKernel> cuda_flops_fp32();
std::span<const CudaFlopsKernel> cuda_flops_fp32x2();  ///< pairs of floats; compute capability 10.0; no div
std::span<const CudaFlopsKernel> cuda_flops_fp16();    ///< packed pairs
std::span<const CudaFlopsKernel> cuda_flops_bf16();    ///< packed pairs; compute capability 8.0, but for fma 9.0

/// Folds the bits of a chain into a thread's checksum.
ROOFLINE_BODY constexpr std::uint64_t add_to_checksum(std::uint64_t sum, std::uint64_t bits) { return sum * 31 + bits; }

/// A binary floating-point format.
struct FloatFormat {
  int significand_bits;  ///< with the leading one
  int bias;              ///< of the exponent
  int lanes;             ///< equal values in one register of a kernel

  /// x rounded to the format, as far as it is in its normal range.
  double round(double x) const;
  /// round(x y + z), rounded once.
  double fma(double x, double y, double z) const;
  /// The register that holds x, a number of this format, in every lane.
  std::uint64_t bits(double x) const;
  int register_bytes() const { return significand_bits == 53 || (significand_bits == 24 && lanes == 2) ? 8 : 4; }
};
/// `precision` is one of fp64, fp32, fp32x2, fp16x2, bf16x2.
FloatFormat format_of(const CudaFlopsKernel& kernel);

/// Start and operands of chains whose values stay normal for millions of steps, and do not stand still where the
/// precision allows it: b -> b b - 1.75 is chaotic, b -> 0.1 - 0.99.. b and b -> -0.99.. b shrink slowly.
struct FlopsOperands {
  double scale, offset;
  static double start(const FloatFormat& format, int chain) { return format.round(1 - chain / 32.0); }
};
FlopsOperands flops_operands(const CudaFlopsKernel& kernel);

/// The required checksum of a thread after `steps` steps: every operation done on this machine.
std::uint64_t expected_checksum(const CudaFlopsKernel& kernel, std::int64_t steps);

}  // namespace roofline
