#include "bench/virtual_gpu/runtime/occupancy.hpp"

#include <algorithm>

namespace roofline::runtime {
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

std::uint64_t dynamic_shared_for(const VirtualDevice& device, BlockNeeds block, unsigned blocks) {
  if (blocks == 0 || resident_blocks(device, block) < blocks) return 0;
  const auto unit = shared_unit(device);
  const auto each = device.shared_per_sm() / blocks / unit * unit;
  const auto taken = block.shared + device.shared_reserved;
  if (each <= taken) return 0;
  return std::min(each, device.shared_per_block_optin + device.shared_reserved) - taken;
}

}  // namespace roofline::runtime
