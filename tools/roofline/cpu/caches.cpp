#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/levels/levels.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/words.hpp"
#include "tools/roofline/cpu/cpu.hpp"

namespace roofline::cli::cpu_command {

std::vector<CacheLevel> shares_of(const std::vector<CacheLevel>& caches, int threads) {
  auto shares = caches;
  for (auto& cache : shares) cache.size = static_cast<std::uint64_t>(cache_share(cache, threads)), cache.shared_by = 1;
  return shares;
}

std::vector<CacheLevel> parse_caches(const std::string& text) {
  if (text.empty()) return {};
  if (text.ends_with(".json")) {
    const auto machine = read_run(text).machine;
    if (machine.caches.empty()) throw std::invalid_argument(text + ": has no caches");
    return shares_of(machine.caches, machine.usable_cores);
  }
  std::vector<CacheLevel> caches;
  for (const auto& part : split(text, ':')) {
    unsigned long long size = 0;
    unsigned ways = 0;
    char unit = 0, rest = 0;
    const bool understood = std::sscanf(part.c_str(), "%llu%c/%u%c", &size, &unit, &ways, &rest) == 3;
    constexpr std::size_t most = 3;
    if (!understood || (unit != 'K' && unit != 'M') || size > 1'000'000 || ways == 0 || caches.size() == most)
      throw std::invalid_argument(
          fmt::format("--caches: '{}' is none of up to three caches such as 48K/12:1M/16", part));
    CacheLevel cache;
    cache.level = memory_levels[caches.size()];
    cache.size = size << (unit == 'K' ? 10 : 20), cache.ways = ways;
    caches.push_back(cache);
  }
  static_cast<void>(CacheHierarchy(caches));  // throws on what is no cache
  return caches;
}

}  // namespace roofline::cli::cpu_command
