// A kernel reduced to its accesses, as parse_slices() makes it, and what it tells of each of them. Apart from
// program.hpp, which every operation includes.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/virtual_gpu/program/kernel.hpp"
#include "bench/virtual_gpu/program/program.hpp"

namespace roofline::ptx {

/// Facts that a tracing instruction knows beforehand; stored in Instruction::matrix.
struct TracedKind {
  Space space{};
  AccessKind access{};
  uint8_t phase = 0;
};
constexpr int64_t encode(const TracedKind& kind) {
  return static_cast<int64_t>(kind.space) | static_cast<int64_t>(kind.access) << 8 | int64_t{kind.phase} << 16;
}
constexpr TracedKind decode(int64_t code) {
  return {static_cast<Space>(code & 0xff), static_cast<AccessKind>(code >> 8 & 0xff),
          static_cast<uint8_t>(code >> 16 & 0xff)};
}

/// One access of a warp to global or local memory. A uniform or contiguous one has only at[0] for certain; local
/// addresses are offsets within the lane's own memory.
struct TracedAccess {
  Space space{};
  AccessKind access{};
  uint8_t phase = 0;  ///< loads of its basic block that it has to wait for, one after another
  bool uniform = false, contiguous = false;
  uint32_t bytes = 0;   ///< of a lane
  uint32_t active = 0;  ///< mask of lanes
  const uint64_t* at = nullptr;
};

/// The instructions that a warp issues in one execution of a basic block.
struct BlockCost {
  uint32_t fp64 = 0;       ///< additions, multiplications, fused ones
  uint32_t divisions = 0;  ///< and square roots, each expanded into several
};

class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void access(const TracedAccess& access) = 0;
};

/// A program that computes addresses and control flow and traces accesses.
struct Slice : Program {
  std::vector<BlockCost> costs;  ///< of the whole kernel, by block
  bool leaves_out = false;       ///< it computes nothing else
  bool synchronises = false;     ///< warps wait for each other
  bool untraced = false;         ///< there are accesses that it cannot trace
};

/// The program of a kernel that comes from parse_slices().
inline const Slice& slice_of(const Kernel& kernel) { return static_cast<const Slice&>(*kernel.program); }

}  // namespace roofline::ptx
