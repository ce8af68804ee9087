#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "bench/virtual_gpu/memory/coalescer.hpp"

namespace roofline {

/// The reads that are on their way to L2 and back, as its request coalescer sees them: one that asks for a sector which
/// another SM of the GPC waits for shares its request, up to a number of them.
///
/// The number of its entries is not known: Accel-Sim guesses 1024 in each of 80 parts, so that they never block. Here a
/// line that shares its place with a later one is forgotten, so that sometimes less is merged.
class ReadsInFlight {
 public:
  /// `most` reads share a request.
  explicit ReadsInFlight(unsigned most) : most_(most), lines_(places) {}

  /// The sectors of a read at `now` that requests of others in flight bring along. The first read of a line
  /// says `until` when it is in flight; later ones join and do not change that.
  unsigned merged(const LineAccess& read, std::uint64_t now, std::uint64_t until);

 private:
  static constexpr std::size_t places = std::size_t{1} << 17;
  struct Line {
    std::uint64_t until = 0;
    std::uint32_t number = 0;
    std::uint8_t gpc = 0;
    std::array<std::uint8_t, sectors_per_line> sharing{};  ///< reads of the present request of a sector; 0: none
  };

  unsigned most_;
  std::vector<Line> lines_;
};

}  // namespace roofline
