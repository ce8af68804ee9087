// A thread block under execution, and the host thread that executes it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/execute/warp.hpp"

namespace roofline::ptx {

struct RaceShadow;

/// State of one memory instruction between its executions on one host thread.
struct AccessCounter {
  uint64_t sectors = 0, wavefronts = 0;
  uint64_t begin = 1, end = 0;  // the allocation that it accessed last
  const Allocation* allocation = nullptr;
  // Addresses relative to the first, and their cost, because patterns repeat.
  uint64_t pattern[32];
  uint32_t mask = 0, phase = 0, cost = 0;
  uint64_t last = 0;  // lowest address of its last access
};

struct Executed {
  uint64_t warps = 0, lanes = 0;
};

/// One host thread: counters of its own, so that counting needs no locks.
struct Worker {
  const Launch* launch = nullptr;
  const ExecutionOptions* options = nullptr;
  GlobalMemory* memory = nullptr;
  std::atomic<bool>* cancelled = nullptr;
  RaceShadow* races = nullptr;  // global memory; null without the race check
  bool solo = true;             // the only host thread: atomics need not be atomic
  bool checked = false;
  std::vector<uint8_t> parameters;
  uint64_t grid_workspace = 0;  // of cooperative launches: where blocks count each other
  std::vector<Executed> blocks, guards;
  std::vector<AccessCounter> accesses;
  uint64_t divergent_branches = 0, warps = 0, thread_blocks = 0;
  std::vector<Finding> findings;
  std::vector<std::unique_ptr<Allocation>> known;  // what AccessCounter::allocation points to
  std::mutex* print_mutex = nullptr;
  std::mt19937_64 random;

  void report(Finding finding);
};

/// Lanes that take the result of a bar.red when the barrier completes.
struct BarrierResult {
  enum Kind : uint8_t { count, all, any } kind{};
  Warp* warp = nullptr;
  uint32_t lanes = 0;
  uint32_t destination = 0;  // register offset (count) or predicate
};

struct Barrier {
  uint32_t arrived = 0;            // lanes
  uint32_t expected = 0;           // lanes; 0: all that are live
  uint32_t warps = 0;              // that have arrived, a bit each
  uint32_t votes = 0, voters = 0;  // of bar.red
  std::vector<BarrierResult> results;
};

constexpr uint32_t barriers_of_block = 16;

struct ThreadBlock {
  Worker* worker = nullptr;
  const Program* program = nullptr;
  std::array<uint32_t, 3> index{};
  uint64_t linear = 0;
  uint32_t threads = 0;
  uint32_t live = 0;  // threads that have not exited
  uint64_t executed = 0;
  std::vector<Warp> warps;
  std::vector<uint8_t> shared_storage;
  uint8_t* shared = nullptr;
  uint32_t shared_bytes = 0;
  std::array<Barrier, barriers_of_block> barriers;
  std::vector<uint64_t> shared_written;  // a bit per byte, with the init check
  std::unique_ptr<RaceShadow> shared_races;

  ThreadBlock(Worker& worker, const Program& program);
  ~ThreadBlock();
  void start(uint64_t linear);
  /// Every warp runs until it waits or has used up its slice; true when all threads have exited. Throws Fault.
  bool run(int64_t slice);
  /// Lanes of the warp's current fragment arrive; completes the barrier when they are the last.
  void arrive(Warp& warp, uint32_t barrier, uint32_t expected, uint32_t lanes);
  /// Lanes have exited: barriers may wait for fewer now.
  void exited(uint32_t lanes);

 private:
  bool complete(uint32_t barrier);
  /// Lets warps that wait for absent lanes go on; throws Fault where only barriers are waited for.
  void deadlock();
};

/// Counts and findings of all host threads of a launch, put together; per instruction where wanted.
Execution tally(const Program& program, const std::vector<Worker>& workers, bool per_instruction);

}  // namespace roofline::ptx
