#include "bench/cache_model/cache_model.hpp"

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cache_model/sampler.hpp"

namespace roofline {

std::optional<Counts> CacheModel::count(const std::string&, const Workload& work) {
  if (!work.trace) return std::nullopt;
  if (caches_.empty()) return roofline::count(work.trace, nullptr);
  std::vector<CacheHierarchy> cores(static_cast<std::size_t>(threads_), CacheHierarchy(caches_));
  auto counts = roofline::count(work.trace, cores);
  counts.modelled_device = "host";
  return counts;
}

}  // namespace roofline
