#pragma once
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/space/real.hpp"

namespace roofline {

/// Chunks of a parallel loop that one thread computes, in this order: behind the last one of its own comes the first.
struct Chunks {
  Index first, number;
  Index own_begin, own_end;  ///< all chunks of the thread
  double weight = 1;         ///< of the loop, over what is computed of it
};

/// The chunks that a static schedule gives to a thread.
inline Chunks own_chunks(Index n, int thread, int threads) {
  const Index each = n / threads, longer = n % threads;  // so many threads have one more
  const Index begin = thread * each + std::min<Index>(thread, longer);
  const Index number = each + (thread < longer ? 1 : 0);
  return {begin, number, begin, begin + number};
}

/// A launch that computes chunks twice, or some of them only. Code and addresses are those of a whole launch.
class Pass {
 public:
  /// Every chunk twice in a row, of which the second time is timed, when the chunk's data lie where the first time has
  /// brought them. The difference to the time of a launch is memory's part. Not for launches that store past the
  /// caches, because these do so the second time, too. With several parts it computes the first one only.
  static Pass in_core(Index parts = 1) { return Pass(2, parts); }
  /// The next of about `parts` equal parts of a launch. Each thread takes its next chunks, as many as it has in a part,
  /// so all data pass by before the first come again.
  static Pass part(Index parts) { return Pass(1, parts); }

  /// How often each chunk is computed.
  int times() const { return times_; }
  /// The calling thread's chunks out of n. A loop with fewer chunks than parts is computed whole in one of the turns.
  Chunks chunks(Index n) {
    const int threads = omp_get_num_threads();
    auto mine = own_chunks(n, omp_get_thread_num(), threads);
    if (parts_ == 1 || mine.number == 0) return mine;
    const Index longest = (n + threads - 1) / threads;
    if (longest < parts_) {
      if (turn_ % parts_ != 0) mine.number = 0;
      return mine;
    }
    const Index of_part = longest / parts_;
    mine.first += turn_ * of_part % mine.number;
    mine.number = std::min(mine.number, of_part);
    mine.weight = static_cast<double>(longest) / static_cast<double>(of_part);
    if (omp_get_thread_num() == 0 && longest >= longest_) longest_ = longest, share_ = 1 / mine.weight;
    return mine;
  }
  /// Goes on to the next part. Returns the share of a launch that the last one was, by its longest loop.
  double next() { return ++turn_, share_; }

  /// Adds to the time that a whole launch takes the calling thread.
  void add(double seconds) { of_thread_[static_cast<std::size_t>(omp_get_thread_num())].seconds += seconds; }
  /// The time of the slowest thread.
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

  Pass(int times, Index parts)
      : times_(times), parts_(parts), of_thread_(static_cast<std::size_t>(omp_get_max_threads())) {}

  int times_;
  Index parts_, turn_ = 0, longest_ = 0;
  double share_ = 1;
  std::vector<Line> of_thread_;
};

}  // namespace roofline
