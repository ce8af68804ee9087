#pragma once
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/cache_model/counting.hpp"
#include "bench/counters/counter_source.hpp"
#include "bench/machine/topology.hpp"

namespace roofline {

/// Counts one launch in the counting space: drives the cache model, chooses the windows, adds up the scaled counts.
class Sampler {
 public:
  /// `cores`: the caches of each, which shares the chunks with the others as OpenMP's static schedule does; none:
  /// operations and source-level bytes only. With `full`, every chunk is executed.
  explicit Sampler(std::span<CacheHierarchy> cores, bool full = false) : cores_(cores), full_(full) {}
  /// One core, or null for none.
  explicit Sampler(CacheHierarchy* caches, bool full = false) : Sampler({caches, caches ? 1u : 0u}, full) {}

  /// Runs chunks 0..n-1, or a window of them: see Counting.
  void run(Index n, Index period, const std::function<void(Index)>& chunk);

  /// True when a window stood for all chunks at least once.
  bool sampled() const { return sampled_; }
  /// Forgets the counts and keeps the caches: the next launch starts as a repeated launch does.
  void reset();
  /// Counts so far; traffic of the levels that the model has.
  Counts counts() const;
  std::uint64_t loads() const { return total_.loads; }
  std::uint64_t stores() const { return total_.stores; }
  /// Which of the loads are split or gathered is not known.
  void forget_costly_loads() { knows_costly_loads_ = false; }
  /// The launch gathers by instructions.
  void gather_by_instructions() { by_instructions_ = true; }

 private:
  struct Snapshot {
    Recording recording;
    std::array<Traffic, 4> traffic{};
    std::uint64_t overwritten = 0, streamed = 0, paired = 0;  // bytes
  };
  Snapshot snapshot() const;
  void add_scaled(const Snapshot& from, const Snapshot& to, std::uint64_t numerator, std::uint64_t denominator);
  std::uint64_t memory_bytes() const;
  /// Every core its chunks.
  void run_all(Index n, const std::function<void(Index)>& chunk);
  /// First chunk of a core.
  Index first_of(std::size_t core, Index n) const;
  void run_on(std::size_t core) { live_.caches = cores_.empty() ? nullptr : &cores_[core]; }

  std::span<CacheHierarchy> cores_;
  bool full_;
  bool sampled_ = false;
  Recording live_, total_;
  std::array<Traffic, 4> traffic_{};
  double overwritten_ = 0, streamed_ = 0, paired_ = 0, split_ = 0, gathered_ = 0;  // bytes
  bool knows_costly_loads_ = true, by_instructions_ = false;
  std::uint64_t regions_ = 0;
  Index window_ = 0, window_of_ = 0;
};

/// Counts one launch: `trace` runs the kernel's own source in the space it is given.
///
/// No caches give operations and L1 bytes. A working set that stays in the caches is run twice, and the second run
/// counts. Throws std::logic_error when a kernel's chunks do not repeat with the period it declares.
Counts count(const std::function<void(Sampler&)>& trace, std::span<CacheHierarchy> cores, bool full = false);
/// The same on one core; null: no caches.
Counts count(const std::function<void(Sampler&)>& trace, CacheHierarchy* caches, bool full = false);

template <bool Fma, int W>
template <class Chunk>
void Counting<Fma, W>::parallel(Index n, Chunk chunk, Index period) {
  if constexpr (W == 1) sampler_.forget_costly_loads();  // which the vectors of the launch have
  sampler_.run(n, period, [&](Index i) { chunk(i); });
}

/// Counts a launch on the CPU: operations by the counting space, bytes by a model of its caches, every core its chunks
/// of a loop.
class CacheModel final : public CounterSource {
 public:
  /// Caches from the core outwards; none: only the operations and the bytes of L1 are known. `threads` cores.
  CacheModel(std::vector<CacheLevel> caches, int threads)
      : caches_(shared_among(std::move(caches), threads)), threads_(threads) {}
  std::optional<Counts> count(const std::string& row, const Workload& work) override;
  bool repeats() const override { return true; }

 private:
  std::vector<CacheLevel> caches_;
  int threads_;
};

}  // namespace roofline
