#pragma once
#include <cstdint>
#include <vector>

#include "bench/virtual_gpu/memory/gpu_kernel.hpp"

/// What a simulated GPU consists of, apart from its memory.
namespace roofline {

/// One resident warp: where it sits.
struct ResidentWarp {
  unsigned slot = 0, number = 0;  ///< of its block on the SM, of the warp in its block
  std::uint64_t steps = 0;        ///< made so far
  bool ended = false;
};

struct Slot {
  Index block = 0;
  unsigned warps = 0;  ///< still running
};

/// What warps have asked for.
struct Asked {
  std::uint64_t loads = 0, stores = 0, lines = 0;  ///< sectors, sectors, lines
};

/// A step that a warp has made, and what it needs of L2, which has not heard of it yet.
struct Issued {
  std::uint64_t tick = 0;
  std::size_t warp = 0;        ///< of Multiprocessor::warps
  std::uint64_t ready = 0;     ///< tick at which the warp goes on, if it waits for nothing of L2
  std::size_t behind_end = 0;  ///< in Multiprocessor::behind, where the step after it begins
  Asked asked;                 ///< L1 for
  bool waits = false;          ///< for loads that L1 does not have
  bool ends_block = false;
};

struct Multiprocessor {
  std::vector<ResidentWarp> warps;  // oldest first
  std::vector<Slot> slots;
  // Of the greedy schedule:
  std::vector<std::uint64_t> ready;  // tick at which the data of each warp are there
  std::uint64_t busy_until = 0;
  std::vector<Issued> issued;      // by tick
  std::size_t sent = 0;            // of these: L2 has heard of them
  std::vector<LineAccess> behind;  // L1: what the issued steps need of L2
};

/// A level that all SMs share: what is asked of it is served one after another.
struct Pipe {
  std::uint64_t ticks;     ///< per sector
  std::uint64_t free = 0;  ///< tick from which on it has nothing to do

  // Not std::max: g++ makes a vector instruction of it, which waits for the number that was stored just before.
  void take(std::uint64_t tick, std::uint64_t sectors) {
    if (free < tick) free = tick;
    free += sectors * ticks;
  }
};

}  // namespace roofline
