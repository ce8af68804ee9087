#pragma once
#include <memory>

#include "bench/simulator/block_feed.hpp"
#include "bench/simulator/gpu_kernel.hpp"

namespace roofline {

/// Makes a warp the active one for a scope.
class ActiveWarp {
 public:
  explicit ActiveWarp(WarpState& warp) : before_(active_warp) { active_warp = &warp; }
  ~ActiveWarp() { active_warp = before_; }
  ActiveWarp(const ActiveWarp&) = delete;
  ActiveWarp& operator=(const ActiveWarp&) = delete;

 private:
  WarpState* before_;
};

/// The warps of a kernel for one simulation. Of a compiled kernel its own, else its coroutines, which do not compute.
std::unique_ptr<BlockFeed> make_feed(const GpuKernel& kernel);

/// Lines that a block of a compiled kernel asks for.
std::uint64_t lines_of(const GpuKernel& kernel, Index block);

/// Runs a block of a described kernel alone, without memory: its exact counts. Adds to `line_accesses` the lines that
/// it asks for.
WarpCounts record_block(const GpuKernel& kernel, Index block, std::uint64_t* line_accesses = nullptr);
/// Exact counts of blocks of any kernel.
WarpCounts record_blocks(const GpuKernel& kernel, Index first, Index blocks);

}  // namespace roofline
