#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/virtual_gpu/devices/device.hpp"

namespace roofline::runtime {

/// Properties of the virtual GPU that a program may ask for: all figures of its device file, and those that follow from
/// its compute capability.
struct VirtualDevice : Device {
  std::string title;                         ///< what programs print: "virtual GPU (h100)"
  std::uint64_t shared_per_block_optin = 0;  ///< bytes: the most that a block may ask for
  std::uint64_t shared_reserved = 0;         ///< bytes that the system takes of each block

  unsigned major() const { return capability / 10; }
  unsigned minor() const { return capability % 10; }
  std::uint64_t shared_per_sm() const { return shared_options.empty() ? 0 : shared_options.back(); }
};

/// The device that `name` selects: one that find_device() knows. Throws
/// FileError with one line when there is none.
VirtualDevice find_virtual_device(const std::string& name);

/// From a device description; the compute capability follows from what the SM looks like when the name is not known.
VirtualDevice virtual_device(const Device& described);

/// The resources that one block of a launch needs.
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

}  // namespace roofline::runtime
