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

/// Runs blocks alone, without memory: their exact counts. Adds to `line_accesses` the lines that they ask for.
WarpCounts record_block(const GpuKernel& kernel, Index block, std::uint64_t* line_accesses = nullptr);
WarpCounts record_blocks(const GpuKernel& kernel, Index first, Index blocks);

}  // namespace roofline
