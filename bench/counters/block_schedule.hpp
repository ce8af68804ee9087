#pragma once
#include <cstdint>
#include <string_view>

#include "bench/counters/gpu_kernel.hpp"
#include "bench/counters/gpu_memory.hpp"
#include "bench/space/warp.hpp"

namespace roofline {

/// The two ends of what a GPU's scheduler may do; the truth is not published and lies between.
enum class Schedule {
  lockstep,  ///< all resident warps advance together, one request each in turn
  greedy,    ///< each SM runs its oldest warp that has its data (latencies and bandwidths of the device)
};
constexpr std::string_view name(Schedule schedule) { return schedule == Schedule::lockstep ? "lockstep" : "greedy"; }

/// Blocks of a kernel that fit one SM at once, and what limits them.
struct Residency {
  unsigned blocks = 0;
  std::string_view limit;  ///< "registers", "shared memory", "warps", "blocks"
};
/// Throws std::invalid_argument when not even one block fits.
Residency residency(const Device& device, const GpuKernel& kernel);

/// Which blocks are simulated: first..end - 1, dispatched in index order. Traffic counts from the dispatch of block
/// `measure` on until the dispatch of block `end` (the end of the kernel when it has no more).
struct BlockWindow {
  Index first = 0, measure = 0, end = 0;
  Index part = 0;  ///< the window is measured in parts of so many blocks; 0: as a whole
};

/// What a simulation saw.
struct SimulatedTraffic {
  GpuTraffic warm_up;             ///< before the window
  std::vector<GpuTraffic> parts;  ///< of the window; at least one
  GpuTraffic left;                ///< at its end: see GpuMemory::left_in_l2
  WarpCounts counts;              ///< of all blocks that ended
  std::uint64_t lines = 0;        ///< line accesses simulated

  GpuTraffic traffic() const;
};

/// Runs the blocks of a window on all SMs. Blocks go to SMs in turn until these are full, then to the first SM that has
/// room. Deterministic.
SimulatedTraffic simulate(const Device& device, const GpuKernel& kernel, Schedule schedule, const BlockWindow& window);

/// Runs one block alone, without memory: its exact counts.
WarpCounts record_block(const GpuKernel& kernel, Index block);

}  // namespace roofline
