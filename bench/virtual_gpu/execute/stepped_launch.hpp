// Launches that somebody else drives: a part of the blocks, or one basic block of a warp at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/program/slice.hpp"

namespace roofline::ptx {

/// Executes `blocks` blocks of the launch from `first` on. Throws Interrupted (bench/machine/interrupt.hpp) when a
/// signal asks for the end meanwhile.
Execution execute_part(const Launch& launch, uint64_t first, uint64_t blocks, GlobalMemory& memory,
                       const ExecutionOptions& options = {});

/// A launch whose kernel comes from parse_slices(). Not for several host threads at once; several launches of one
/// kernel may run next to each other where Slice::leaves_out, because they then write nothing.
class SteppedLaunch {
 public:
  SteppedLaunch(const Launch& launch, GlobalMemory& memory, AccessSink& sink);
  ~SteppedLaunch();
  SteppedLaunch(const SteppedLaunch&) = delete;
  SteppedLaunch& operator=(const SteppedLaunch&) = delete;

  struct Ran {
    bool ended = false;  ///< the warp has exited
    bool waits = false;  ///< at a barrier, for other warps of its block; nothing was run
    BlockCost cost;
  };
  /// Starts a block in a place (0, 1, ...). The block that was there before is forgotten.
  void begin(std::size_t place, uint64_t block);
  /// Runs one basic block of a warp. Throws std::runtime_error on what would end the launch.
  Ran run(std::size_t place, unsigned warp);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct SlicedWorker : Worker {
  AccessSink* sink = nullptr;
};

/// Sets up what is the same for all workers of a launch; `number` is one's own.
void prepare(Worker& worker, const Launch& launch, const ExecutionOptions& options, uint64_t number);

}  // namespace roofline::ptx
