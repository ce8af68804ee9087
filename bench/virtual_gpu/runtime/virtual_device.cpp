#include "bench/virtual_gpu/runtime/virtual_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/virtual_gpu/devices/device.hpp"

namespace roofline::runtime {
namespace {

/// Shared memory that a block may ask for and that the system takes of it: Programming Guide, technical specifications
/// per compute capability.
struct SharedLimits {
  unsigned capability;
  std::uint64_t per_sm, per_block_optin, reserved;
};
constexpr SharedLimits shared_limits[] = {
    {70, 98304, 98304, 0},      {75, 65536, 65536, 0},      {80, 167936, 166912, 1024},  {86, 102400, 101376, 1024},
    {89, 102400, 101376, 1024}, {90, 233472, 232448, 1024}, {100, 233472, 232448, 1024}, {120, 102400, 101376, 1024},
};

const SharedLimits& limits_of(unsigned capability) {
  const auto* best = shared_limits;
  for (const auto& limits : shared_limits)
    if (limits.capability <= capability) best = &limits;
  return *best;
}

/// Of a device file without "product": the generation whose SM has this much shared memory.
unsigned guess_capability(const Device& described) {
  for (const auto& limits : shared_limits)
    if (!described.shared_options.empty() && described.shared_options.back() == limits.per_sm) return limits.capability;
  return 90;
}

}  // namespace

VirtualDevice virtual_device(const Device& described) {
  VirtualDevice device;
  device.name = described.name;
  device.title = fmt::format("virtual GPU ({})", described.name);
  device.capability = described.capability ? described.capability : guess_capability(described);
  device.sms = described.sms;
  device.clock = described.clock;
  device.memory = described.memory ? described.memory : std::uint64_t{16} << 30;
  device.bus_width = described.bus_width ? described.bus_width : device.bus_width;
  device.l2 = described.l2.size;
  device.warps_per_sm = described.warps_per_sm;
  device.blocks_per_sm = described.blocks_per_sm;
  device.registers_per_sm = described.registers_per_sm;
  device.register_unit = described.register_unit;
  device.shared_options = described.shared_options;
  const auto& limits = limits_of(device.capability);
  device.shared_per_block_optin = std::min(limits.per_block_optin, device.shared_per_sm());
  device.shared_reserved = limits.reserved;
  device.fp64_lanes = described.fp64_lanes;
  device.fp32_lanes = described.fp32_lanes ? described.fp32_lanes : 2 * described.fp64_lanes;
  device.l1_bandwidth = described.bandwidth(MemoryLevel::L1);
  device.l2_bandwidth = described.bandwidth(MemoryLevel::L2);
  device.dram_bandwidth = described.bandwidth(MemoryLevel::DRAM);
  device.memory_clock =
      described.memory_clock > 0 ? described.memory_clock : device.dram_bandwidth / 2 / (device.bus_width / 8.0);
  return device;
}

VirtualDevice find_virtual_device(const std::string& name) { return virtual_device(find_device(name)); }

}  // namespace roofline::runtime
