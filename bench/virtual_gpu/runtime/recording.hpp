#pragma once
#include <vector>

#include "bench/virtual_gpu/execute/memory.hpp"
#include "bench/virtual_gpu/runtime/recorded_launch.hpp"

namespace roofline::runtime {

/// While it lives, launches on the virtual device are kept, and executed only if `execute`. One at a time.
class Recording {
 public:
  explicit Recording(bool execute);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// What was launched so far; the recording ends.
  std::vector<RecordedLaunch> take();
};

/// The memory of the virtual device.
ptx::GlobalMemory& device_memory();

}  // namespace roofline::runtime
