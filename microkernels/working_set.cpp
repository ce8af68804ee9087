#include "microkernels/working_set.hpp"

#include <algorithm>

#include "bench/levels/levels.hpp"

namespace roofline {
namespace {

/// Four times the last cache of all threads, so that nothing survives from one use to the next, and at most a quarter
/// of the memory. 0 where that is less than twice the cache: such a set is not one of DRAM.
double dram_working_set(const Machine& machine) {
  const auto last = static_cast<double>(machine.largest_llc);
  double bytes = beyond_caches(machine, 4);
  if (machine.memory_bytes > 0) bytes = std::min(bytes, machine.memory_bytes / 4);
  return bytes < 2 * last ? 0 : bytes;
}

}  // namespace

double ceiling_working_set(const Machine& machine, MemoryLevel level, int threads) {
  if (level == MemoryLevel::DRAM) return dram_working_set(machine);
  double nearer = 0;
  for (const auto& cache : machine.caches) {
    const double share = cache_share(cache, threads);
    if (cache.level == level) {
      // Others may occupy an unknown part of a cache that cores share; on a virtual machine its neighbours may.
      const bool shared = cache.shared_by > machine.caches.front().shared_by;
      const double part = std::max(share / (shared ? 4 : 2), 2 * nearer);
      // A cache that takes what the nearer one evicts adds its capacity to the nearer one's.
      const bool fits = machine.memory_bytes <= 0 || threads * part <= machine.memory_bytes / 4;
      return fits && part < share + nearer ? threads * part : 0;
    }
    nearer = share;
  }
  return 0;
}

MemoryLevel level_of_working_set(const std::vector<CacheLevel>& caches, double bytes, int threads) {
  for (const auto& cache : caches)
    if (bytes / threads <= cache_share(cache, threads)) return cache.level;
  return MemoryLevel::DRAM;
}

}  // namespace roofline
