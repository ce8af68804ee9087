#pragma once
#include <cstdint>
#include <vector>

#include "bench/simulator/block_feed.hpp"

/// What a simulated GPU consists of, beside its memory.
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

struct Multiprocessor {
  std::vector<ResidentWarp> warps;   // oldest first
  std::vector<std::uint64_t> ready;  // greedy: tick at which the data of each are there
  std::vector<Slot> slots;
  std::uint64_t busy_until = 0;
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
