#pragma once
#include <cstdint>

#include "bench/model/counts.hpp"

namespace roofline {

/// One cache as seen by one core.
struct CacheLevel {
  MemoryLevel level = MemoryLevel::L1;
  std::uint64_t size = 0;  ///< bytes
  unsigned ways = 8;
  unsigned line = 64;      ///< bytes
  unsigned shared_by = 1;  ///< usable cores that share it; the model gives each core an equal share
};

}  // namespace roofline
