#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// What the mix of instructions leaves of the FMA peak: alpha, beta = (1 + alpha) / 2 (NERSC), the measured ceiling of
/// the mix, and the rate against each; next to them rate / (alpha peak), the convention of a talk at GTC 2020, which is
/// no upper bound. Kernels without FLOPs, or of unknown kinds, are left out.
Table fma_mix_table(const Results& results);

}  // namespace roofline
