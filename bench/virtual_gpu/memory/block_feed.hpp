#pragma once
#include <cstddef>
#include <span>

#include "bench/space/real.hpp"
#include "bench/virtual_gpu/memory/coalescer.hpp"

namespace roofline {

/// What a warp did in a step.
struct WarpStep {
  bool ended = false;                   ///< it has nothing more to do
  bool waits = false;                   ///< for other warps of its block, at a barrier; it did nothing
  unsigned instructions = 0;            ///< FP64 ones, divisions not among them
  unsigned divisions = 0;               ///< which a device expands into several
  std::span<const LineAccess> lines{};  ///< it asks for; up to its next step, or the next block in its place
};

/// The warps of the blocks that a device runs at the same time: what a schedule is fed from. Not for several threads.
class BlockFeed {
 public:
  virtual ~BlockFeed() = default;
  /// A block of the launch begins in `place`, one of those that the device has.
  virtual void begin(std::size_t place, Index block) = 0;
  /// Lets a warp go on until it needs the data of loads that are not there.
  virtual WarpStep step(std::size_t place, unsigned warp) = 0;
};

}  // namespace roofline
