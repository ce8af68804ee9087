#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"
#include "bench/space/real.hpp"
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

/// The counts of a part that repeats `times` times.
WarpCounts repeated(const WarpCounts& part, std::uint64_t times);

/// One step of a warp.
struct WarpStep {
  bool ended = false;                   ///< it has nothing more to do
  bool waits = false;                   ///< for other warps of its block, at a barrier; it did nothing
  unsigned instructions = 0;            ///< FP64 ones, divisions not among them
  unsigned divisions = 0;               ///< which a device expands into several
  std::span<const LineAccess> lines{};  ///< it asks for; up to its next step, or the next block in its place
};

/// The warps of the blocks that a device runs at the same time. A schedule takes its steps from here. Not thread-safe.
class BlockFeed {
 public:
  virtual ~BlockFeed() = default;
  /// A block of the launch begins in `place`, one of those that the device has.
  virtual void begin(std::size_t place, Index block) = 0;
  /// Lets a warp go on until it needs the data of loads that are not there.
  virtual WarpStep step(std::size_t place, unsigned warp) = 0;
};

/// One launch on a described GPU: the grid, what a block occupies, and what its warps do.
struct GpuKernel {
  std::string name;
  Index blocks = 1;
  unsigned threads = 32;     ///< per block
  unsigned registers = 32;   ///< per thread
  std::uint64_t shared = 0;  ///< bytes per block
  std::uint64_t local = 0;   ///< bytes per thread in local memory

  std::function<std::unique_ptr<BlockFeed>()> feed;            ///< its warps, for one simulation
  std::function<WarpCounts(Index first, Index blocks)> count;  ///< exact counts of some of its blocks
  bool shares_nothing = true;                                  ///< several feeds may run next to each other
  std::vector<Index> periods{};  ///< after which the counts of blocks may repeat, ascending

  unsigned warps() const { return (threads + 31) / 32; }
};

/// Lines that a block asks for.
std::uint64_t lines_of(const GpuKernel& kernel, Index block);

/// Counts of a whole launch: all of its blocks are executed, or, where that is too much, periods at its beginning, in
/// its middle and at its end, which must agree. `affordable`: instructions of warps.
WarpCounts exact_counts(const GpuKernel& kernel, double affordable = 3e7);

}  // namespace roofline
