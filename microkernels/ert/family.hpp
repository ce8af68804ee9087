#pragma once
#include <functional>

#include "bench/suite/suite.hpp"
#include "microkernels/ert/ert.hpp"

namespace roofline {

/// Sets up one kernel of the family on one platform.
using MakeErt = std::function<Workload(const ErtKernel&)>;

/// The kernels over one array: how they are set up, and what names do not tell of the work, its size above all.
struct ErtSet {
  MakeErt make = {};
  std::string problem = {};
};

/// Adds the variants of the family, the same on every platform: ert/flops:F/fma:1/set:DRAM and the like. A set that
/// nothing makes has none.
void add_ert_variants(Suite& suite, const ErtSet& in_memory, const ErtSet& in_l1);

/// Elements of the array in memory: the number in --ert=n, or, if it is 0, as many as fill `automatic_bytes`. Throws
/// std::invalid_argument on a negative number.
Index ert_elements(const Sizes& sizes, double automatic_bytes);

}  // namespace roofline
