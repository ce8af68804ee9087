#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// The cache-aware roofline (Ilic, Pratas and Sousa, IEEE CAL 2014) as SVG: all points at the bytes that the core loads
/// and stores, whatever level they come from, below the bandwidths of all levels. Points without bytes of L1 are left
/// out, which the caption says. Throws std::invalid_argument where no point has any.
std::string cache_aware_plot(const Results& results);

}  // namespace roofline
