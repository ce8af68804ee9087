// A warp: 32 lanes, their registers and where each of them is in the program. Resumable at each block of the program.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/program/program.hpp"

namespace roofline::ptx {

/// The lanes of a mask, from the lowest one on: for (const uint32_t lane : Lanes{mask}).
struct Lanes {
  uint32_t mask;
  struct Iterator {
    uint32_t rest;
    uint32_t operator*() const { return static_cast<uint32_t>(std::countr_zero(rest)); }
    void operator++() { rest &= rest - 1; }
    bool operator!=(Iterator end) const { return rest != end.rest; }
  };
  Iterator begin() const { return {mask}; }
  Iterator end() const { return {0}; }
};

/// The subset of `lanes` whose value equals the first lane's. A warp that works in groups calls this once for each
/// group.
template <class ValueOfLane>
uint32_t like_first(uint32_t lanes, ValueOfLane value) {
  const auto first = value(std::countr_zero(lanes));
  uint32_t like = 0;
  for (uint32_t m = lanes; m; m &= m - 1)
    if (value(std::countr_zero(m)) == first) like |= m & -m;
  return like;
}

struct ThreadBlock;
struct Worker;

/// Ends a launch. Thrown by instructions, caught where blocks are run.
struct Fault {
  Outcome outcome{};
  std::string message;
  Place place;
};

/// Lanes that are together at the beginning of a basic block.
struct Fragment {
  enum State : uint8_t { ready, at_barrier, at_mask };
  uint32_t block = 0;
  uint32_t lanes = 0;
  State state = ready;
  uint32_t detail = 0;  // number of the barrier, or the mask of lanes waited for
};

enum class Stop : uint8_t { none, blocked, yielded, done };

struct alignas(64) Warp {
  // The first cache line is what every instruction touches.
  uint8_t* r = nullptr;   // register file
  uint32_t* p = nullptr;  // predicates
  uint32_t m = 0;         // lanes that the current instruction acts on
  uint32_t active = 0;    // lanes of the current fragment
  uint32_t next = 0;      // block that comes next
  uint32_t wait = ~0u;    // least block at which other lanes are ready
  const Instruction* code = nullptr;
  Worker* worker = nullptr;
  ThreadBlock* block = nullptr;
  const Program* program = nullptr;

  uint32_t live = 0;    // lanes that have not exited
  uint32_t at = 0;      // current block
  uint32_t number = 0;  // in the thread block
  uint32_t spins = 0;   // accesses that look like waiting for another thread
  bool force = false;   // act with an incomplete mask: no other lane will come
  bool ahead = false;   // runs a fragment out of order, see rotate()
  Stop stop = Stop::none;
  int64_t left = 0;       // instructions before it yields
  uint64_t executed = 0;  // warp instructions
  std::vector<Fragment> others;
  std::vector<uint8_t> registers;
  std::vector<uint32_t> predicates;
  std::vector<uint8_t> local;               // local_bytes for each lane, one after the other
  std::vector<uint64_t> local_written;      // a bit per byte, with the init check
  std::vector<std::vector<uint8_t>> saved;  // frames of recursive functions, by lane
  std::vector<uint32_t> clock;              // of the race check: by warp

  void prepare(const Program& program, Worker& worker, ThreadBlock& block, uint32_t number);
  void start(uint32_t threads);
  /// Runs until the warp is done, waits for others, or has executed about `instructions`.
  void run(int64_t instructions);
  /// Chooses the fragment that runs next and merges those that are at the same place; false when none can.
  bool reselect();
  /// Lanes of `lanes` go to `block` later.
  void defer(uint32_t block, uint32_t lanes);
  /// The current fragment waits at its current block; another one runs.
  void park(Fragment::State state, uint32_t detail);
  /// Lanes that wait at the barrier become ready behind it.
  void release(uint32_t barrier);
  /// The lanes that the mask names are here (or gone): true. Otherwise waits for them: false, and the instruction is
  /// executed again later.
  bool gather(uint32_t mask, const Instruction& instruction);

  template <class T>
  T* lanes(uint32_t offset) {
    return reinterpret_cast<T*>(r + offset);
  }
  template <class T>
  const T* lanes(uint32_t offset) const {
    return reinterpret_cast<const T*>(r + offset);
  }
  template <class T>
  T& scalar(uint32_t offset) {
    return *reinterpret_cast<T*>(r + offset);
  }
  uint32_t list(const Instruction& i, uint32_t n) const { return program->lists[i.list + n]; }

 private:
  void merge_waiting();
  bool choose();
  void rotate();
  void leave_block();
};

/// Thread index of a lane.
std::array<uint32_t, 3> thread_of(const Warp& warp, uint32_t lane);
Place place_of(const Warp& warp, const Instruction& instruction, uint32_t lane);
[[noreturn]] void fault(const Warp& warp, const Instruction& instruction, Outcome outcome, const std::string& what);

}  // namespace roofline::ptx
