#pragma once
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace roofline {

/// What a launch takes when nothing comes from beyond a core's own caches: a space that has one computes every chunk
/// twice in a row, and counts the second time, when the chunk's data lie where the first one has brought them. The same
/// code on the same addresses, so that what is missing to the time of a launch is memory's. Not for launches that store
/// past the caches: these do so the second time, too.
class WarmPass {
 public:
  WarmPass() : of_thread_(static_cast<std::size_t>(omp_get_max_threads())) {}

  /// Of the calling thread.
  void add(double seconds) { of_thread_[static_cast<std::size_t>(omp_get_thread_num())].seconds += seconds; }
  /// Of the slowest thread.
  double seconds() const {
    return std::max_element(of_thread_.begin(), of_thread_.end(),
                            [](auto& a, auto& b) { return a.seconds < b.seconds; })
        ->seconds;
  }

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

 private:
  struct alignas(64) Line {
    double seconds = 0;
  };
  std::vector<Line> of_thread_;
};

/// Of one launch in a space that is given the pass.
template <class Launch>
double warm_seconds(Launch launch) {
  WarmPass pass;
  launch(&pass);
  return pass.seconds();
}

}  // namespace roofline
