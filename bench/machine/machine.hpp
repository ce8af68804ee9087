#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/machine/topology.hpp"

namespace roofline {

/// The device that the numbers belong to. `cpus` are those that this process may use (affinity, cpuset). `usable_cores`
/// is the smaller of the physical cores among them and floor(quota), at least 1; it is the default thread count.
/// `caches` are measured (bench/levels), else as declared. DRAM sets are sized from `largest_llc`, the last cache of
/// all threads. `cache_note` also says where measured and declared caches differ.
struct Machine : Topology {
  double quota = 0;                                ///< CPUs the cgroup grants; 0 = no limit
  bool amx = false;                                ///< has tiles for products of matrices
  bool virtual_machine = false;                    ///< a hypervisor shares the cores out, and may move them
  std::string isa;                                 ///< widest of scalar, sse, avx2, avx512 (AVX2 and AVX-512 imply FMA)
  std::vector<CacheLevel> declared_caches;         ///< as hwloc tells them
  std::string levels = "declared by the machine";  ///< how `caches` were found
  double memory_bytes = 0;                         ///< that this process may have: the machine's, or a tighter limit
  std::vector<int> thread_cpus;                    ///< where the threads of a parallel region were seen to run
  std::vector<std::string> overridden;  ///< variables of the environment that were not let through: NAME=VALUE
  std::string core_classes;             ///< which of unequal cores are how fast, in words
  std::string huge_pages;               ///< transparent huge page mode: always, madvise, never
  double clock_hz = 0;                  ///< measured with a dependent integer multiply chain, see clock.hpp
  std::string fingerprint;              ///< hard keys in one line; ceilings of another fingerprint are foreign

  /// Key/value pairs for the JSON context.
  std::map<std::string, std::string> context() const;
};

/// Looks at the machine. Missing facts stay at their defaults; never throws.
Machine detect_machine();

}  // namespace roofline
