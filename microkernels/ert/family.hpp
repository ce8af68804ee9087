#pragma once
#include <functional>

#include "bench/suite/suite.hpp"
#include "microkernels/ert/ert.hpp"

namespace roofline {

/// Sets up one kernel of the family on one platform.
using MakeErt = std::function<Workload(const ErtKernel&)>;

/// Adds the variants of the family, the same on every platform: ert/flops:F/fma:1/set:DRAM and the like. Without
/// `in_l1` there are none in L1.
void add_ert_variants(Suite& suite, const MakeErt& in_memory, const MakeErt& in_l1);

/// Elements of the array in memory: the number in --ert=n, or, if it is 0, as many as fill `automatic_bytes`. Throws
/// std::invalid_argument on a negative number.
Index ert_elements(const Sizes& sizes, double automatic_bytes);

}  // namespace roofline
