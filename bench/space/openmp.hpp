#pragma once
#include "bench/space/pack.hpp"
#include "bench/space/pass.hpp"
#include "bench/space/real.hpp"

namespace roofline {

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
  /// Chunks as the pass has them; null: each once.
  explicit OpenMp(Pass* pass) : pass_(pass) {}

  /// `period` is for the counting space: after how many chunks the work repeats.
  template <class Chunk>
  void parallel(Index n, Chunk chunk, [[maybe_unused]] Index period = 1) const {
    const int times = pass_ ? pass_->times() : 1;
#pragma omp parallel
    {
      const auto mine = pass_ ? pass_->chunks(n) : own_chunks(n, omp_get_thread_num(), omp_get_num_threads());
      Index i = mine.first;
      for (Index k = 0; k < mine.number; ++k) {
        double begin = 0;
        // One place that calls the chunk: each would be a copy of the kernel.
        for (int time = 0; time < times; ++time) {
          if (time == 1) begin = Pass::now();
          chunk(i);
        }
        if (times == 2) pass_->add((Pass::now() - begin) * mine.weight);
        if (++i == mine.own_end) i = mine.own_begin;
      }
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
  Pass* pass_ = nullptr;
};

}  // namespace roofline
