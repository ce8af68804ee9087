// Executes a kernel: all blocks of a grid, on the host's threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/virtual_gpu/execute/memory.hpp"
#include "bench/virtual_gpu/program/counts.hpp"
#include "bench/virtual_gpu/program/finding.hpp"
#include "bench/virtual_gpu/program/kernel.hpp"

namespace roofline::ptx {

/// Checks to make. Bounds and alignment are always checked; `memory` also reports allocations near the address.
struct Checks {
  bool memory = false;
  bool race = false;
  bool init = false;
  bool barrier = false;

  bool any() const { return memory || race || init || barrier; }
  static Checks all() { return {true, true, true, true}; }
};

/// The device that special registers describe.
struct DeviceFacts {
  uint32_t multiprocessors = 1;
  uint32_t compute_capability = 90;  ///< 10 * major + minor
  double clock_hz = 1e9;             ///< of %clock and %globaltimer, which count executed instructions
};

struct Launch {
  const Kernel* kernel = nullptr;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  const void* parameters = nullptr;  ///< kernel->parameter_bytes bytes, laid out as Kernel::parameters says
  std::size_t dynamic_shared = 0;
  bool cooperative = false;  ///< all blocks make progress, so that they can wait for each other
};

struct ExecutionOptions {
  Checks checks;
  DeviceFacts device;
  int host_threads = 0;  ///< 0: all
  /// Warp instructions of one block after which the launch is stopped as hung.
  uint64_t instruction_limit = 20'000'000'000;
  uint64_t seed = 1;             ///< order of warps where checks are on
  bool per_instruction = false;  ///< fill Execution::instructions
  /// Receives what device printf prints; null: standard output.
  std::function<void(const std::string&)> print;
};

/// Why a launch ended; the comment names the CUDA error that stands for it.
enum class Outcome {
  ok,
  unsupported_instruction,  ///< cudaErrorNotSupported: nothing was executed
  invalid_launch,           ///< cudaErrorInvalidConfiguration: nothing was executed
  illegal_address,          ///< cudaErrorIllegalAddress (sticky)
  misaligned_address,       ///< cudaErrorMisalignedAddress (sticky)
  illegal_instruction,      ///< cudaErrorIllegalInstruction (sticky)
  assertion,                ///< cudaErrorAssert (sticky)
  trap,                     ///< cudaErrorLaunchFailure (sticky)
  timeout,                  ///< cudaErrorLaunchTimeout (sticky): instruction limit, or a deadlock
};

struct Execution {
  Outcome outcome = Outcome::ok;
  std::string message;            ///< one line, empty when ok
  Place place;                    ///< of the fault
  Counts counts;                  ///< of what was executed
  std::vector<Finding> findings;  ///< by kind and instruction; the first block and thread of each
  std::vector<InstructionCount> instructions;
};

/// Runs the launch to its end. Never throws for what the kernel does; memory is what the kernel may access.
Execution execute(const Launch& launch, GlobalMemory& memory, const ExecutionOptions& options = {});

}  // namespace roofline::ptx
