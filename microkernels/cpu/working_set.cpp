#include "microkernels/cpu/working_set.hpp"

#include <algorithm>

namespace roofline {
namespace {

constexpr double gib = 1 << 30;

/// Four times the last-level cache, so that nothing survives from one use to the next, but not above 1 GiB (for caches
/// that are so large themselves: twice their size) and not above a quarter of the memory.
double dram_working_set(const Machine& machine) {
  const double llc = static_cast<double>(machine.largest_llc);
  double bytes = llc > 0 ? std::min(4 * llc, std::max(gib, 2 * llc)) : gib;
  if (machine.memory_bytes > 0) bytes = std::min(bytes, machine.memory_bytes / 4);
  return bytes;
}

}  // namespace

double cache_share(const CacheLevel& cache, int threads) {
  const auto most = std::max(1u, cache.shared_by);
  return static_cast<double>(cache.size) / std::clamp(static_cast<unsigned>(threads), 1u, most);
}

double ceiling_working_set(const Machine& machine, MemoryLevel level, int threads) {
  if (level == MemoryLevel::DRAM) return dram_working_set(machine);
  double nearer = 0;
  for (const auto& cache : machine.caches) {
    const double share = cache_share(cache, threads);
    if (cache.level == level) {
      // Of a cache that cores share, others hold a part that nobody sees, on a virtual machine its neighbours.
      const bool shared = cache.shared_by > machine.caches.front().shared_by;
      const double part = std::max(share / (shared ? 4 : 2), 2 * nearer);
      // A cache that takes what the nearer one evicts adds its capacity to the nearer one's.
      return part < share + nearer ? threads * part : 0;
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
