#include "bench/virtual_gpu/runtime/virtual_device.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// For a device file without "product": guesses the generation whose SM has this much shared memory.
unsigned guess_capability(const Device& described) {
  for (const auto& limits : shared_limits)
    if (!described.shared_options.empty() && described.shared_options.back() == limits.per_sm) return limits.capability;
  return 90;
}

}  // namespace

VirtualDevice virtual_device(const Device& described) {
  VirtualDevice device{described, fmt::format("virtual GPU ({})", described.name)};
  if (device.capability == 0) device.capability = guess_capability(described);
  if (device.memory == 0) device.memory = std::uint64_t{16} << 30;
  if (device.bus_width == 0) device.bus_width = 512;
  if (device.fp32_lanes == 0) device.fp32_lanes = 2 * described.fp64_lanes;
  if (!(device.memory_clock > 0))
    device.memory_clock = device.bandwidth(MemoryLevel::DRAM) / 2 / (device.bus_width / 8.0);
  const auto& limits = limits_of(device.capability);
  device.shared_per_block_optin = std::min(limits.per_block_optin, device.shared_per_sm());
  device.shared_reserved = limits.reserved;
  return device;
}

VirtualDevice find_virtual_device(const std::string& name) { return virtual_device(find_device(name)); }

namespace {

constexpr unsigned warp = 32, partitions = 4, most_registers = 255;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::uint64_t shared_unit(const VirtualDevice& device) { return device.capability >= 80 ? 128 : 256; }

unsigned limit_by_registers(const VirtualDevice& device, unsigned registers, unsigned warps) {
  if (registers == 0) return device.blocks_per_sm;
  if (registers > most_registers) return 0;
  const auto per_warp = round_up(std::uint64_t{registers} * warp, device.register_unit);
  // The launch check of the hardware takes a block's warps as spread evenly over the partitions.
  if (per_warp * round_up(warps, partitions) > device.registers_per_sm) return 0;
  const auto resident_warps = device.registers_per_sm / partitions / per_warp * partitions;
  return static_cast<unsigned>(resident_warps / warps);
}

}  // namespace

unsigned resident_blocks(const VirtualDevice& device, const BlockNeeds& block) {
  constexpr unsigned most_threads = 1024;
  if (block.threads == 0 || block.threads > most_threads || block.shared > device.shared_per_block_optin) return 0;
  const unsigned warps = (block.threads + warp - 1) / warp;
  std::uint64_t blocks = std::min(device.blocks_per_sm, device.warps_per_sm / warps);
  blocks = std::min<std::uint64_t>(blocks, limit_by_registers(device, block.registers, warps));
  if (const auto shared = round_up(block.shared + device.shared_reserved, shared_unit(device)))
    blocks = std::min(blocks, device.shared_per_sm() / shared);
  return static_cast<unsigned>(blocks);
}

}  // namespace roofline::runtime
