#pragma once
#include "bench/space/buffer.hpp"

namespace roofline {

/// Memory that several ceilings use one after the other: made when the first of them needs it, kept until the last
/// owner is gone, because the first touch of memory costs far more than a measurement.
class MemoryBlock {
 public:
  /// `doubles` elements; nothing is allocated yet.
  explicit MemoryBlock(Index doubles, Pages pages = Pages::huge) : size_(doubles), pages_(pages) {}

  Index size() const { return size_; }
  /// Throws std::invalid_argument when the memory is not there.
  double* data() {
    if (buffer_.size() == 0) {
      require_memory(static_cast<double>(size_) * sizeof(double), "the block of the DRAM ceilings");
      buffer_ = Buffer(size_, pages_);
    }
    return buffer_.data();
  }

 private:
  Index size_;
  Pages pages_;
  Buffer buffer_;
};

}  // namespace roofline
