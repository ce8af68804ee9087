#pragma once
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/space/real.hpp"

namespace roofline {

/// The pages of a mapping: of 2 MiB where the system grants them, or of 4 KiB in any case.
enum class Pages { huge, small };

/// Memory of a problem: n doubles, backed by huge pages where the system grants them, touched first by the threads that
/// will work on it, or of many places where memory has one node (scatter()). Two buffers that are made one after the
/// other lie at the same distance in the sets of every cache, wherever the system puts them. So modelled bytes repeat,
/// and the arrays of a problem do not alias.
class Buffer {
 public:
  Buffer() = default;
  /// Zeroed. Throws std::bad_alloc; ask require_memory() before, it gives the better message.
  explicit Buffer(Index n, Pages pages = Pages::huge);
  ~Buffer();
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_);
    return *this;
  }

  double* data() const { return data_; }
  Index size() const { return size_; }
  double& operator[](Index i) const { return data_[i]; }
  View view() const { return {data_}; }
  /// All elements 0, by the threads that touched them first.
  void zero();
  double* begin() const { return data_; }
  double* end() const { return data_ + size_; }

 private:
  double* data_ = nullptr;
  Index size_ = 0;
};

/// A problem that does not fit into the memory that this process may have.
struct TooLarge : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Bytes that buffers may have on top of those that exist. 0: unknown.
double memory_for_buffers();

/// Throws TooLarge when `bytes` exceeds 80 % of the memory available now; `what` names the problem and its
/// size. Called before anything is allocated.
void require_memory(double bytes, std::string_view what);

/// The contents of every Buffer that exists, oldest first: for tests that plant a wrong value in what a kernel has
/// written and expect its verification to notice.
std::vector<std::span<double>> live_buffers();

}  // namespace roofline
