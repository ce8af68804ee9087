#pragma once
#include <cstddef>
#include <memory>

namespace roofline {

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

}  // namespace roofline
