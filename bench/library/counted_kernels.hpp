#pragma once
#include <cstddef>
#include <cstdint>

#include "bench/model/counts.hpp"

namespace roofline {

/// A kernel of the user's program that was counted: what its source says, not what its author declares.
struct CountedKernel {
  Counts counts;
  std::uint64_t declared_flops = 0;  ///< by its formula, equal to those counted
  bool fma = true;
};

/// Keeps a count for the end of the run, by its number.
std::size_t keep_count(CountedKernel kernel);
const CountedKernel& counted_kernel(std::size_t number);

}  // namespace roofline
