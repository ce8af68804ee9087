#include "bench/machine/cpuid.hpp"

#include <fmt/format.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace roofline {
namespace {

constexpr std::uint32_t intel_caches = 4, amd_caches = 0x8000001D, amd_l2_l3 = 0x80000006;

/// Leaves 4 and 0x8000001D: one subleaf per cache until type 0; type 1 = data, 3 = unified.
CpuidCaches deterministic(const Cpuid& ask, std::uint32_t leaf) {
  CpuidCaches caches{leaf, {}};
  for (std::uint32_t subleaf = 0; subleaf < 16; ++subleaf) {
    const auto r = ask(leaf, subleaf);
    const auto type = r.eax & 31, level = r.eax >> 5 & 7;
    if (type == 0) break;
    if (type == 2 || level < 1 || level > caches.size.size()) continue;
    const std::uint64_t ways = (r.ebx >> 22) + 1, partitions = (r.ebx >> 12 & 1023) + 1, line = (r.ebx & 4095) + 1,
                        sets = std::uint64_t{r.ecx} + 1;
    caches.size[level - 1] = ways * partitions * line * sets;
  }
  return caches;
}

CpuidCaches package_wide(const Cpuid& ask) {
  const auto r = ask(amd_l2_l3, 0);
  return {amd_l2_l3, {0, std::uint64_t{r.ecx >> 16} << 10, std::uint64_t{r.edx >> 18} << 19}};
}

std::string size_text(std::uint64_t bytes) {
  return bytes % (1 << 20) == 0 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} KiB", bytes >> 10);
}

}  // namespace

CpuidRegisters cpuid([[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint32_t subleaf) {
  CpuidRegisters r;
#if defined(__x86_64__)
  if (!__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx)) return {};
#endif
  return r;
}

bool has_amx(const Cpuid& ask) { return ask(7, 0).edx >> 24 & 1; }

bool has_hypervisor(const Cpuid& ask) { return ask(1, 0).ecx >> 31 & 1; }

std::vector<CpuidCaches> cpuid_caches(const Cpuid& ask) {
  std::vector<CpuidCaches> told;
  for (const auto& caches : {deterministic(ask, intel_caches), deterministic(ask, amd_caches), package_wide(ask)})
    if (caches.size != decltype(caches.size){}) told.push_back(caches);
  return told;
}

std::string cache_disagreement(const std::vector<CacheLevel>& caches, const std::vector<CpuidCaches>& opinions) {
  std::string note;
  for (const auto& cache : caches) {
    const auto at = static_cast<std::size_t>(cache.level);
    for (const auto& opinion : opinions) {
      const auto size = at < opinion.size.size() ? opinion.size[at] : 0;
      if (size != 0 && size != cache.size)
        note += fmt::format("{}{}: {} by sysfs, {} by CPUID {:#x}", note.empty() ? "" : "; ", name(cache.level),
                            size_text(cache.size), size_text(size), opinion.leaf);
    }
  }
  return note;
}

}  // namespace roofline
