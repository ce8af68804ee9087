#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/cuda/device_buffer.hpp"

namespace roofline {

/// 64-bit words in device memory.
class DeviceWords {
 public:
  explicit DeviceWords(Index n) : words_(2 * n) { words_.clear(); }
  std::uint64_t* data() const { return reinterpret_cast<std::uint64_t*>(words_.data()); }
  std::vector<std::uint64_t> download() const { return download(words_.size() / 2); }
  /// The first n.
  std::vector<std::uint64_t> download(Index n) const;
  void clear() const { words_.clear(); }

 private:
  cuda::DeviceBuffer<int> words_;
};

/// SM clock in Hz from cycles and nanoseconds of `blocks` blocks (BlockClock): the median; 0 when there are none.
double sm_clock(std::span<const std::uint64_t> clocks, int blocks);
/// The same from the first words that the blocks of the last launch wrote.
inline double clock_of(const DeviceWords& out, int blocks) { return sm_clock(out.download(Index{2} * blocks), blocks); }

/// A number n, at least 1, for which `run(n)` takes the device about `seconds`: small enough for many samples, long
/// against a launch (some us). 2 on a virtual GPU that nobody times.
int calibrate_cuda(const std::function<void(int)>& run, double seconds = 1e-3);

/// Page-locked memory of the host, which the device reaches by itself.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  /// Throws cuda::Error when the system has not got it.
  explicit PinnedMemory(std::size_t bytes);
  void* data() const { return memory_.get(); }

 private:
  std::shared_ptr<void> memory_;
};

class Suite;
struct Gpu;

// The parts of add_cuda_ceilings(). The functions for units return the names of the ceilings that the device could have
// and this build has no code for.
std::vector<std::string> add_cuda_flops_ceilings(Suite& suite,
                                                 const Gpu& gpu);  ///< vector units: precision x operation
std::vector<std::string> add_cuda_tensor_ceilings(Suite& suite, const Gpu& gpu);  ///< matrix instructions, by shape
void add_cuda_bandwidth_ceilings(Suite& suite, const Gpu& gpu);                   ///< memory level x access mix

void add_cuda_issue_ceiling(Suite& suite, const Gpu& gpu);  ///< instructions of warps per second, of any kind

/// Whether this build has any code for the current device: where it has none, or there is no device, nothing can be
/// told of single kernels.
bool has_code();

}  // namespace roofline
