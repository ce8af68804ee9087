#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"

namespace roofline {

/// One cache as seen by one core.
struct CacheLevel {
  MemoryLevel level = MemoryLevel::L1;
  std::uint64_t size = 0;  ///< bytes
  unsigned ways = 8;
  unsigned line = 64;             ///< bytes
  unsigned shared_by = 1;         ///< usable cores that share it; the model gives each core an equal share
  unsigned threads_per_core = 1;  ///< of the run: two where it has more threads than cores

  /// Threads that share it in a run of so many.
  unsigned sharers(int threads) const {
    return std::clamp(static_cast<unsigned>(std::max(threads, 1)), 1u, std::max(1u, shared_by) * threads_per_core);
  }
};

/// Cores, caches and memory nodes as hwloc tells them (on Linux from sysfs), seen from the CPUs of this process.
struct Topology {
  std::string name;    ///< "AMD EPYC", with family/model/stepping in the fingerprint
  std::string vendor;  ///< GenuineIntel, AuthenticAMD, ARM, ...
  int family = 0, model = 0, stepping = 0;
  std::vector<int> cpus;           ///< those asked for, one per core first, then the further hardware threads
  int cores = 1;                   ///< physical cores among them
  int usable_cores = 1;            ///< the same, unless a quota allows fewer
  int smt = 1;                     ///< hardware threads per core, whether this process may use them or not
  int numa_nodes = 1;              ///< of the whole machine
  std::vector<int> nodes;          ///< the memory node of each of `cpus`; empty: not known
  std::vector<CacheLevel> caches;  ///< data caches from the core outwards; `shared_by` counts cores among `cpus`
  std::uint64_t largest_llc = 0;   ///< bytes of all last-level caches that these CPUs fill
  std::string cache_note;          ///< what was not told and is assumed, e.g. "L3: ways unknown, 8 assumed"
};

/// The variable of the environment that would have hwloc describe another machine: not let through.
inline constexpr const char* left_over_topology = "HWLOC_SYNTHETIC";

/// `made_up` replaces this machine by a description in hwloc's synthetic format ("l3:1 core:2 pu:2"). Never throws;
/// facts that cannot be read keep their defaults.
Topology read_topology(const std::vector<int>& cpus, const char* made_up = nullptr);

/// The same CPUs by core, neighbours next to each other. A CPU whose core is unknown stands alone.
std::vector<std::vector<int>> cpus_by_core(const std::vector<int>& cpus, const char* made_up = nullptr);

}  // namespace roofline
