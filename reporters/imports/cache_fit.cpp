#include "reporters/imports/cache_fit.hpp"

#include <algorithm>

namespace roofline {

CacheFit cache_fit(double bytes, const std::map<MemoryLevel, double>& caches, double largest) {
  constexpr double large_caches = 100e6, read_and_written = 2;
  if (bytes <= 0) return {};
  for (const auto& [level, size] : caches) {
    if (bytes <= size) return {level, false};
    largest = std::max(largest, size);
  }
  const bool lists_last = caches.contains(MemoryLevel::L3);
  return {{}, bytes <= read_and_written * largest || (!lists_last && bytes < large_caches)};
}

std::string may_fit(const std::string& bytes) {
  return bytes + " may fit in a cache and then do not come from DRAM; say the level with --level";
}

}  // namespace roofline
