#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bench/simulator/warp.hpp"
#include "bench/simulator/warp_program.hpp"

/// What a simulated GPU consists of, beside its memory.
namespace roofline {

/// Makes a warp the active one for a scope.
class ActiveWarp {
 public:
  explicit ActiveWarp(WarpState& warp) : before_(active_warp) { active_warp = &warp; }
  ~ActiveWarp() { active_warp = before_; }
  ActiveWarp(const ActiveWarp&) = delete;
  ActiveWarp& operator=(const ActiveWarp&) = delete;

 private:
  WarpState* before_;
};

/// One resident warp: its state, its program and the slot of the SM that it sits in.
struct ResidentWarp {
  explicit ResidentWarp(const void* origin) : state(origin) {}

  WarpState state;
  WarpProgram program;
  unsigned slot = 0, number = 0;  ///< of its block on the SM, of the warp in its block
  std::uint64_t steps = 0;        ///< made so far

  /// Runs one step, whose accesses are put into `lines`; false at the end of the program.
  bool step(std::vector<LineAccess>& lines) {
    const ActiveWarp active(state);
    state.begin_step(lines);
    ++steps;
    program.resume();
    return !program.done();
  }
};

struct Slot {
  Index block = 0;
  unsigned warps = 0;  ///< still running
};

struct Multiprocessor {
  std::vector<std::unique_ptr<ResidentWarp>> warps;  // oldest first
  std::vector<std::uint64_t> ready;                  // greedy: tick at which the data of each are there
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
