#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "bench/simulator/block_feed.hpp"
#include "bench/simulator/warp.hpp"
#include "bench/simulator/warp_program.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// The memory of a described device: address space, given out from 0 as an allocator would, and backed by the system
/// only where it is touched. Addresses of the device do not depend on where the system puts it.
class DeviceMemory {
 public:
  /// Throws std::invalid_argument when the system does not reserve that much address space.
  explicit DeviceMemory(std::uint64_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// An array of n elements, zeroed, aligned to 512 B as cudaMalloc does. Throws std::logic_error when it is full.
  template <class T>
  T* allocate(Index n) {
    return static_cast<T*>(take(static_cast<std::uint64_t>(n) * sizeof(T)));
  }
  const void* origin() const { return base_; }
  /// First device address that is not given out.
  std::uint64_t used() const { return used_; }

 private:
  void* take(std::uint64_t bytes);

  char* base_;
  std::uint64_t size_, used_ = 0;
};

/// One launch on a described GPU: the grid, what a block occupies, and what each warp does.
struct GpuKernel {
  std::string name;
  std::string mapping;  ///< one line: whose mapping it is, and which figures of it are assumed
  Index blocks = 1;
  unsigned threads = 32;     ///< per block
  unsigned registers = 32;   ///< per thread
  std::uint64_t shared = 0;  ///< bytes per block
  std::uint64_t local = 0;   ///< bytes per thread in local memory
  std::shared_ptr<DeviceMemory> memory;
  /// The work of one warp of a block; runs with its WarpState active.
  std::function<WarpProgram(Index block, unsigned warp)> program;

  /// Of compiled kernels, instead of `program`: their warps, and the exact counts of some of their blocks.
  std::function<std::unique_ptr<BlockFeed>()> feed;
  std::function<WarpCounts(Index first, Index blocks)> count;
  bool shares_nothing = true;    ///< several feeds may run beside each other
  std::vector<Index> periods{};  ///< after which the counts of blocks may repeat, ascending

  unsigned warps() const { return (threads + 31) / 32; }
};

}  // namespace roofline
