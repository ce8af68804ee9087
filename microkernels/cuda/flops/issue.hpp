#pragma once
#include "microkernels/cuda/flops/flops.hpp"

namespace roofline {

/// Chains of every thread in the loops below: additions of floats, and of integers additions and exclusive ors in turn,
/// which no compiler makes one instruction of.
inline constexpr int issue_chains = 8;

/// The float 1, a summand and a mask.
inline constexpr int issue_operands[] = {0x3f800000, 0x2545f491, 0x5bd1e995};

/// A loop that gives the schedulers an instruction in each cycle. A chip needs both units for that where that of floats
/// takes two cycles for a warp (compute capability 7.0 to 8.0), and none of the integers where it takes one.
struct IssueKernel {
  int integers;  ///< of issue_chains
  int steps;     ///< per iteration, of every chain
  cudaError_t (*launch)(const LoopLaunch&);
  int (*blocks_per_sm)(int threads);
};
std::span<const IssueKernel> issue_kernels();

/// Whether chain c of a loop with so many of integers is one of them: spread evenly.
ROOFLINE_BODY constexpr bool is_of_integers(int c, int integers) {
  return c * integers / issue_chains != (c + 1) * integers / issue_chains;
}

/// The required result of every thread after so many steps.
std::uint64_t expected_issue_checksum(int integers, std::int64_t steps);

}  // namespace roofline
