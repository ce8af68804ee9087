#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/virtual_gpu/decode/module.hpp"
#include "bench/virtual_gpu/execute/memory.hpp"

namespace roofline::runtime {

/// A launch as a program made it, for whoever wants to do it again.
struct RecordedLaunch {
  std::string name;                     ///< of the kernel, readable
  const ptx::Kernel* kernel = nullptr;  ///< owned by the module that was loaded
  const ptx::Kernel* slice = nullptr;   ///< the same from ptx::parse_slices()
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<std::byte> parameters;
  std::size_t shared = 0;    ///< dynamic, bytes
  unsigned registers = 0;    ///< per thread, of the compiled code where there is any
  unsigned capability = 90;  ///< of the device: 90 is 9.0
  unsigned reserved = 0;     ///< bytes of shared memory that the system takes of each block
};

/// While it lives, launches on the virtual device are kept, and executed only if `execute`. One at a time.
class Recording {
 public:
  explicit Recording(bool execute);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Returns the launches so far and ends the recording.
  std::vector<RecordedLaunch> take();
};

/// The memory of the virtual device.
ptx::GlobalMemory& device_memory();

}  // namespace roofline::runtime
