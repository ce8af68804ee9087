#pragma once
#include <cstdint>
#include <string_view>

#include "bench/virtual_gpu/memory/gpu_kernel.hpp"
#include "bench/virtual_gpu/memory/gpu_memory.hpp"
#include "bench/virtual_gpu/memory/launch_sample.hpp"

namespace roofline {

/// The two ends of what a GPU's scheduler may do; the truth is not published and lies between.
enum class Schedule {
  round_robin,  ///< all resident warps advance together, one request each in turn
  greedy,       ///< each SM runs its oldest warp that has its data (latencies and bandwidths of the device)
};
constexpr std::string_view name(Schedule schedule) {
  return schedule == Schedule::round_robin ? "round robin" : "greedy";
}

/// Blocks of a kernel that fit one SM at once, and what limits them.
struct Residency {
  unsigned blocks = 0;
  std::string_view limit;  ///< "registers", "shared memory", "warps", "blocks"
};
/// Throws std::invalid_argument when not even one block fits.
Residency residency(const Device& device, const GpuKernel& kernel);

/// The result of a simulation.
struct SimulatedTraffic {
  Meter start, end;            ///< of a sampled launch; the whole launch is all start
  std::vector<Meter> windows;  ///< of its middle; none when the whole launch was run
  Meter all;                   ///< of everything simulated, warm-ups too
  Index blocks = 0;
  std::uint64_t lines = 0;  ///< line accesses simulated
};

/// Runs a launch or a sample of it on all SMs. Blocks go to SMs in turn until these are full, then to the first SM that
/// has room. Deterministic. `sectors_per_block` is what the warps of a block ask for on average; needed for a sample.
SimulatedTraffic simulate(const Device& device, const GpuKernel& kernel, Schedule schedule,
                          const Sampling& sampling = {}, double sectors_per_block = 0);

}  // namespace roofline
