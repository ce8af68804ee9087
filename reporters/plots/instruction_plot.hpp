#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// The instruction roofline of GPUs (Ding and Williams, PMBS 2019) as a run: instructions of warps where FLOPs were,
/// transactions of 32 B where bytes were, and as ceilings the issue rate of the schedulers and bandwidths / 32 B. Rows
/// without instructions of warps are left out. For instruction_plot() and its tests.
Results as_instructions(const Results& results);

/// It as SVG: instructions per transaction at each level against instructions per second. Throws std::invalid_argument
/// where no row has what it needs: on a CPU there are no warps.
std::string instruction_plot(const Results& results);

}  // namespace roofline
