#pragma once
#include <array>
#include <cstdint>

#include "bench/model/counts.hpp"
#include "bench/virtual_gpu/memory/coalescer.hpp"

namespace roofline {

/// Instructions that warps executed, counted per active lane.
struct WarpCounts {
  Operations operations;           ///< div: all divisions, canonical
  std::uint64_t reciprocals = 0;   ///< those of the divisions whose numerator is 1
  std::uint64_t instructions = 0;  ///< arithmetic and memory instructions of warps
  std::uint64_t lanes = 0;         ///< active lanes in them: lanes / (32 instructions) is the predication ratio
  std::array<RequestCounts, access_kinds> requests{};

  const RequestCounts& of(Access access) const { return requests[static_cast<std::size_t>(access)]; }
  RequestCounts& of(Access access) { return requests[static_cast<std::size_t>(access)]; }
  WarpCounts& operator+=(const WarpCounts& other);
  friend bool operator==(const WarpCounts&, const WarpCounts&) = default;
};

/// Of a part that repeats `times` times.
WarpCounts repeated(const WarpCounts& part, std::uint64_t times);

}  // namespace roofline
