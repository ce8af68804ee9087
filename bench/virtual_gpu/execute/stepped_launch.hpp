// Runs the blocks of a slice warp by warp, at a pace that somebody else sets: where a device model is fed from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/virtual_gpu/execute/launch.hpp"

namespace roofline::ptx {

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

/// What one execution of a basic block issues, in instructions of a warp.
struct BlockCost {
  uint32_t fp64 = 0;       ///< additions, multiplications, fused ones
  uint32_t divisions = 0;  ///< and square roots, each expanded into several
};

class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void access(const TracedAccess& access) = 0;
};

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
  /// A block begins in a place, 0, 1, ...; what was there before is forgotten.
  void begin(std::size_t place, uint64_t block);
  /// Runs one basic block of a warp. Throws std::runtime_error on what would end the launch.
  Ran run(std::size_t place, unsigned warp);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace roofline::ptx
