#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/space/real.hpp"
#include "bench/virtual_gpu/memory/block_feed.hpp"
#include "bench/virtual_gpu/memory/warp_counts.hpp"

namespace roofline {

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
/// its middle and at its end, which must agree.
WarpCounts exact_counts(const GpuKernel& kernel);

}  // namespace roofline
