#pragma once
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/machine/cache_level.hpp"

namespace roofline {

/// Counts a launch on the CPU: operations by the counting space, bytes by a model of its caches, every core its chunks
/// of a loop.
class CacheModel final : public CounterSource {
 public:
  /// Caches from the core outwards; none: only the operations and the bytes of L1 are known. `threads` cores.
  CacheModel(std::vector<CacheLevel> caches, int threads) : caches_(std::move(caches)), threads_(threads) {}
  std::optional<Counts> count(const std::string& row, const Workload& work) override;

 private:
  std::vector<CacheLevel> caches_;
  int threads_;
};

}  // namespace roofline
