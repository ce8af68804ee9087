// What parse_slices() makes of a kernel. Apart from program.hpp, which every operation includes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/parse/program.hpp"

namespace roofline::ptx {

/// What a tracing instruction knows beforehand; in Instruction::matrix.
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

/// Hands addresses to Worker::sink. Neither checks nor counts them.
Execute trace_access();

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

/// A program that computes addresses and control flow and traces accesses.
struct Slice : Program {
  std::vector<BlockCost> costs;  ///< by block: of the whole kernel
  bool leaves_out = false;       ///< it computes nothing else
  bool synchronises = false;     ///< warps wait for each other
  bool untraced = false;         ///< there are accesses that it cannot trace
};
/// The kernels of a module reduced to what decides which addresses they touch and in which order, for models of caches;
/// each access is traced (see stepped_launch.hpp). They use the variables of `module`, which comes from the same text.
Module parse_slices(std::string_view text, const Module& module);

/// The program of a kernel that comes from parse_slices().
inline const Slice& slice_of(const Kernel& kernel) { return static_cast<const Slice&>(*kernel.program); }

struct SlicedWorker : Worker {
  AccessSink* sink = nullptr;
};

/// Sets up what is the same for all workers of a launch; `number` is one's own.
void prepare(Worker& worker, const Launch& launch, const ExecutionOptions& options, uint64_t number);

}  // namespace roofline::ptx
