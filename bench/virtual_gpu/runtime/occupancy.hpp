#pragma once
#include <cstdint>

#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime {

/// What one block of a launch needs.
struct BlockNeeds {
  unsigned threads = 0;
  unsigned registers = 0;    ///< per thread
  std::uint64_t shared = 0;  ///< bytes, static and dynamic
};

/// How many such blocks one SM holds at a time: the least that warps, block slots, registers and shared memory allow;
/// 0 where a block does not fit at all. Rules of the CUDA occupancy calculator (cuda_occupancy.h): registers are given
/// to warps in units, a warp belongs to one of four partitions, shared memory comes in units of 128 B (256 B before
/// compute capability 8.0).
unsigned resident_blocks(const VirtualDevice& device, const BlockNeeds& block);

/// The most dynamic shared memory in bytes with which `blocks` such blocks still fit; `block.shared` is the static
/// part.
std::uint64_t dynamic_shared_for(const VirtualDevice& device, BlockNeeds block, unsigned blocks);

}  // namespace roofline::runtime
