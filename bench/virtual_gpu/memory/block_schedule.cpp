#include "bench/virtual_gpu/memory/block_schedule.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/virtual_gpu/memory/schedules.hpp"

namespace roofline {

Residency residency(const Device& device, const GpuKernel& kernel) {
  const unsigned warps = kernel.warps();
  const unsigned per_warp =
      (kernel.registers * warp_lanes + device.register_unit - 1) / device.register_unit * device.register_unit;
  Residency result{device.blocks_per_sm, "blocks"};
  const auto limit = [&](std::uint64_t blocks, std::string_view what) {
    if (blocks < result.blocks) result = {static_cast<unsigned>(blocks), what};
  };
  limit(device.warps_per_sm / warps, "warps");
  limit(device.registers_per_sm / (per_warp * warps), "registers");
  if (kernel.shared > 0) limit(device.shared_options.back() / kernel.shared, "shared memory");
  if (result.blocks == 0)
    throw std::invalid_argument(fmt::format("{}: a block of {} threads does not fit an SM of {} ({})", kernel.name,
                                            kernel.threads, device.name, result.limit));
  return result;
}

SimulatedTraffic simulate(const Device& device, const GpuKernel& kernel, Schedule schedule, const Sampling& sampling,
                          double sectors_per_block) {
  RunningLaunch launch(device, kernel, sampling, sectors_per_block);
  (schedule == Schedule::round_robin ? run_round_robin : run_greedily)(launch);
  return launch.finish();
}

}  // namespace roofline
