#pragma once
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/space/pack.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// The time of a launch if all data come from a core's own caches. A space with a WarmPass computes every chunk twice
/// in a row and times the second pass, when the chunk's data lie where the first pass has brought them. Code and
/// addresses are the same, so the difference to the time of a launch is memory's part. Not for launches that store past
/// the caches, because these do so in the second pass, too.
class WarmPass {
 public:
  WarmPass() : of_thread_(static_cast<std::size_t>(omp_get_max_threads())) {}

  /// Adds to the time of the calling thread.
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
  std::vector<Line> of_thread_;
};

/// The warm seconds of one launch. `launch` gets a space with the pass.
template <class Launch>
double warm_seconds(Launch launch) {
  WarmPass pass;
  launch(&pass);
  return pass.seconds();
}

/// Space that runs a kernel on the CPU's cores and vector units.
///
/// A traversal is written once for all CPU spaces with two verbs: `parallel(n, chunk)` shares chunks out to threads
/// (static schedule, the one that Buffer's first touch uses), `lanes(begin, end, body)` walks consecutive elements in
/// packs of vector width and finishes one by one.
template <bool Fma>
class OpenMp {
 public:
  static constexpr bool fma = Fma;
  using Lane = Pack<native_lanes>;
  using Single = Pack<1>;  ///< what remains of a row
  using At = roofline::At<Lane, Fma>;

  OpenMp() = default;
  /// Every chunk twice, the second time into `warm`; null: once.
  explicit OpenMp(WarmPass* warm) : warm_(warm) {}

  /// `period` is for the counting space: after how many chunks the work repeats.
  template <class Chunk>
  void parallel(Index n, Chunk chunk, [[maybe_unused]] Index period = 1) const {
    const int times = warm_ ? 2 : 1;
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) {
      double begin = 0;
      // One place that calls the chunk: each would be a copy of the kernel.
      for (int time = 0; time < times; ++time) {
        if (time == 1) begin = WarmPass::now();
        chunk(i);
      }
      if (times == 2) warm_->add(WarmPass::now() - begin);
    }
  }

  template <class Body>
  ROOFLINE_BODY void lanes(Index begin, Index end, Body body) const {
    Index i = begin;
    for (; i + Lane::lanes <= end; i += Lane::lanes) body(At{i});
    for (; i < end; ++i) body(roofline::At<Single, Fma>{i});
  }

  /// Sum over elements: `body(at, sum)` adds to the accumulator it is given. Several accumulators hide the latency of
  /// the additions; putting them together at the end is outside every FLOP account.
  template <class Body>
  ROOFLINE_BODY double reduce(Index begin, Index end, Body body) const {
    constexpr Index chains = 8;
    typename At::real sum[chains];
    for (auto& chain : sum) chain = 0.0;
    Index i = begin;
    for (; i + chains * Lane::lanes <= end; i += chains * Lane::lanes)
#pragma GCC unroll 8
      for (Index chain = 0; chain < chains; ++chain) body(At{i + chain * Lane::lanes}, sum[chain]);
    roofline::Real<Single, Fma> rest = 0.0;
    for (; i < end; ++i) body(roofline::At<Single, Fma>{i}, rest);
    double total = rest.value.sum();
    for (const auto& chain : sum) total += chain.value.sum();
    return total;
  }

 private:
  WarmPass* warm_ = nullptr;
};

}  // namespace roofline
