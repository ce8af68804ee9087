#include "bench/machine/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/machine/topology.hpp"

namespace roofline {
namespace {

std::string widest_isa() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return "avx512";
  return avx2 ? "avx2" : "sse";  // SSE2 is part of x86-64
#elif defined(__aarch64__)
  const int widest = widest_vector_bytes();
  return widest >= 64 ? "sve512" : widest >= 32 ? "sve256" : "neon";
#else
  return "scalar";
#endif
}

/// The word in brackets: "always [madvise] never".
std::string huge_page_mode() {
  const auto text = read_text("/sys/kernel/mm/transparent_hugepage/enabled");
  const auto open = text.find('['), close = text.find(']');
  return open < close && close != std::string::npos ? text.substr(open + 1, close - open - 1) : std::string();
}

void add_quota(Machine& machine) {
  machine.quota = own_cpu_quota();
  if (machine.quota > 0)
    machine.usable_cores = std::max(1, std::min(machine.usable_cores, static_cast<int>(std::floor(machine.quota))));
  for (auto& cache : machine.caches)
    cache.shared_by = std::min(cache.shared_by, static_cast<unsigned>(machine.usable_cores));
  machine.declared_caches = machine.caches;
}

std::string hard_keys(const Machine& m) {
  return fmt::format("{} {}/{}/{}, {} core{}, SMT {}, NUMA {}, {}", m.vendor.empty() ? "unknown CPU" : m.vendor,
                     m.family, m.model, m.stepping, m.usable_cores, m.usable_cores == 1 ? "" : "s", m.smt, m.numa_nodes,
                     m.isa);
}

}  // namespace

std::map<std::string, std::string> Machine::context() const {
  std::map<std::string, std::string> pairs{
      {"fingerprint", fingerprint},
      {"usable_cores", fmt::format("{}", usable_cores)},
      {"smt", fmt::format("{}", smt)},
      {"numa_nodes", fmt::format("{}", numa_nodes)},
  };
  const auto put = [&](const char* key, bool known, const auto& value) {
    if (known) pairs[key] = fmt::format("{}", value);
  };
  put("cpu_name", !name.empty(), name);
  put("cpu_vendor", !vendor.empty(), vendor);
  put("cpu_family", family > 0, family);
  put("cpu_model", family > 0, model);
  put("cpu_stepping", family > 0, stepping);
  put("cpus", !cpus.empty(), format_cpu_list(cpus));
  put("cpu_quota", quota > 0, quota);
  put("isa", !isa.empty(), isa);
  put("clock_hz", clock_hz > 0, std::round(clock_hz));
  put("openmp_cpus", !thread_cpus.empty(), format_cpu_list(thread_cpus));
  put("openmp_overridden", !overridden.empty(), fmt::format("{}", fmt::join(overridden, " ")));
  put("core_classes", !core_classes.empty(), core_classes);
  put("memory_bytes", memory_bytes > 0, memory_bytes);
  put("transparent_huge_pages", !huge_pages.empty(), huge_pages);
  put("largest_llc_bytes", largest_llc > 0, largest_llc);
  put("cache_note", !cache_note.empty(), cache_note);
  put("cache_levels", !caches.empty(), levels);
  for (const auto& cache : caches)
    pairs[fmt::format("cache_{}", roofline::name(cache.level))] =
        fmt::format("{} B, {} ways, {} B lines, shared by {}", cache.size, cache.ways, cache.line, cache.shared_by);
  return pairs;
}

Machine detect_machine() {
  Machine machine;
  // Each fact is read on its own, so that one missing source does not lose the others.
  const auto look = [](auto fact) {
    try {
      fact();
    } catch (const std::exception&) {  // out of memory, an unreadable file: the fact stays unknown
    }
  };
  look([&] {
    static_cast<Topology&>(machine) = read_topology(allowed_cpus());
    machine.declared_caches = machine.caches;
  });
  look([&] { add_quota(machine); });
  look([&] { machine.isa = widest_isa(); });
  look([&] { machine.amx = has_amx(cpuid); });
  look([&] { machine.virtual_machine = has_hypervisor(cpuid); });
  look([&] { machine.memory_bytes = memory_limit(); });
  look([&] { machine.huge_pages = huge_page_mode(); });
  look([&] { machine.clock_hz = measure_clock_hz(); });
  look([&] { machine.fingerprint = hard_keys(machine); });
  return machine;
}

}  // namespace roofline
