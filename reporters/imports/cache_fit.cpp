#include "reporters/imports/cache_fit.hpp"

namespace roofline {

CacheFit cache_fit(double bytes, const std::map<MemoryLevel, double>& caches) {
  constexpr double large_caches = 100e6;
  for (const auto& [level, size] : caches)
    if (bytes > 0 && bytes <= size) return {level, false};
  return {{}, caches.empty() && bytes > 0 && bytes < large_caches};
}

std::string may_fit(const std::string& bytes) {
  return bytes + " may fit in a cache and then do not come from DRAM; say the level with --level";
}

}  // namespace roofline
