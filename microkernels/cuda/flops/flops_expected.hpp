#pragma once
#include <cstdint>

#include "microkernels/cuda/flops/flops.hpp"

namespace roofline {

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
/// Of fp64, fp32, fp32x2, fp16x2, bf16x2.
FloatFormat format_of(const CudaFlopsKernel& kernel);

/// Start and operands of chains whose values stay normal for millions of steps, and do not stand still where the
/// precision allows it: b -> b b - 1.75 is chaotic, b -> 0.1 - 0.99.. b and b -> -0.99.. b shrink slowly.
struct FlopsOperands {
  double scale, offset;
  static double start(const FloatFormat& format, int chain) { return format.round(1 - chain / 32.0); }
};
FlopsOperands flops_operands(const CudaFlopsKernel& kernel);

/// What a thread's checksum must be after `steps` steps: every operation done on this machine.
std::uint64_t expected_checksum(const CudaFlopsKernel& kernel, std::int64_t steps);

}  // namespace roofline
