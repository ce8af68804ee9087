#include "bench/machine/topology.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace roofline {
namespace {

using Loaded = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

/// Takes a description that a shell or a job script has left out of the environment while hwloc reads: it is one of
/// another machine.
class WithoutSynthetic {
 public:
  WithoutSynthetic() {
    if (const char* const value = std::getenv(left_over_topology)) value_ = value;
    if (value_) ::unsetenv(left_over_topology);
  }
  ~WithoutSynthetic() {
    if (value_) ::setenv(left_over_topology, value_->c_str(), 1);
  }
  WithoutSynthetic(const WithoutSynthetic&) = delete;
  WithoutSynthetic& operator=(const WithoutSynthetic&) = delete;

 private:
  std::optional<std::string> value_;
};

Loaded load(const char* made_up) {
  const WithoutSynthetic this_machine;
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return {nullptr, hwloc_topology_destroy};
  Loaded loaded(topology, hwloc_topology_destroy);
  // Also the siblings that a cpuset withholds: a core has two hardware threads even if we may use one.
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (made_up && hwloc_topology_set_synthetic(topology, made_up) != 0) return {nullptr, hwloc_topology_destroy};
  if (hwloc_topology_load(topology) != 0) return {nullptr, hwloc_topology_destroy};
  return loaded;
}

std::string info(hwloc_obj_t object, const char* key) {
  const char* const value = object ? hwloc_obj_get_info_by_name(object, key) : nullptr;
  return value ? value : "";
}

/// The object of a type around a CPU; null when the machine has no such object.
hwloc_obj_t around(hwloc_topology_t topology, int cpu, hwloc_obj_type_t type) {
  const auto pu = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(cpu));
  return pu ? hwloc_get_ancestor_obj_by_type(topology, type, pu) : nullptr;
}

void read_cores(hwloc_topology_t topology, const std::vector<int>& cpus, Topology& result) {
  std::set<hwloc_obj_t> seen;
  std::vector<int> first, further;
  for (const int cpu : cpus) {
    const auto core = around(topology, cpu, HWLOC_OBJ_CORE);
    (!core || seen.insert(core).second ? first : further).push_back(cpu);
    if (core) result.smt = std::max(result.smt, hwloc_bitmap_weight(core->cpuset));
  }
  result.cores = result.usable_cores = std::max<int>(1, static_cast<int>(first.size()));
  result.cpus = std::move(first);
  result.cpus.insert(result.cpus.end(), further.begin(), further.end());
}

/// The memory node next to each CPU; empty where one has none of its own.
std::vector<int> nodes_of(hwloc_topology_t topology, const std::vector<int>& cpus) {
  std::vector<int> nodes;
  for (const int cpu : cpus) {
    const auto pu = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(cpu));
    const int node = pu && pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : -1;
    if (node < 0) return {};
    nodes.push_back(node);
  }
  return nodes;
}

/// A core's cache of one level: where these are not equal, the one that leaves a core least. `cores` has one CPU per
/// core.
void read_cache(hwloc_topology_t topology, const std::vector<int>& cores, hwloc_obj_type_t type, MemoryLevel level,
                Topology& result) {
  std::map<hwloc_obj_t, unsigned> users;
  for (const int cpu : cores)
    if (const auto cache = around(topology, cpu, type)) ++users[cache];
  if (users.empty()) return;
  const auto share = [](const auto& cache) { return cache.first->attr->cache.size / cache.second; };
  const auto& [least, sharers] =
      *std::min_element(users.begin(), users.end(), [&](const auto& a, const auto& b) { return share(a) < share(b); });
  const auto& attributes = least->attr->cache;
  if (attributes.size == 0) return;
  CacheLevel cache{.level = level, .size = attributes.size, .shared_by = sharers};
  const auto assume = [&](const char* what, unsigned value) {
    result.cache_note +=
        fmt::format("{}{}: {} unknown, {} assumed", result.cache_note.empty() ? "" : "; ", name(level), what, value);
  };
  if (attributes.linesize > 0) cache.line = attributes.linesize;
  if (attributes.linesize == 0) assume("line", cache.line);
  if (attributes.associativity > 0) cache.ways = static_cast<unsigned>(attributes.associativity);
  if (attributes.associativity <= 0) assume("ways", cache.ways);
  result.largest_llc = 0;
  for (const auto& [object, cores_inside] : users) result.largest_llc += object->attr->cache.size;
  result.caches.push_back(cache);
}

}  // namespace

Topology read_topology(const std::vector<int>& cpus, const char* made_up) {
  Topology result;
  result.cpus = cpus;
  result.cores = result.usable_cores = std::max<int>(1, static_cast<int>(cpus.size()));
  const auto loaded = load(made_up);
  if (!loaded) return result;
  auto* const topology = loaded.get();

  const auto package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const auto number = [&](const char* key) { return std::atoi(info(package, key).c_str()); };
  result.name = info(package, "CPUModel");
  result.name.erase(result.name.find_last_not_of(' ') + 1);  // hypervisors fill CPUID's 48 characters with blanks
  result.vendor = info(package, "CPUVendor");
  if (result.vendor.empty()) result.vendor = info(package, "CPUImplementer");
  result.family = number("CPUFamilyNumber");
  result.model = number("CPUModelNumber");
  result.stepping = number("CPUStepping");
  result.numa_nodes = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE));

  read_cores(topology, cpus, result);
  result.nodes = nodes_of(topology, result.cpus);
  const std::vector<int> one_per_core(
      result.cpus.begin(), result.cpus.begin() + std::min<std::ptrdiff_t>(result.usable_cores, std::ssize(cpus)));
  read_cache(topology, one_per_core, HWLOC_OBJ_L1CACHE, MemoryLevel::L1, result);
  read_cache(topology, one_per_core, HWLOC_OBJ_L2CACHE, MemoryLevel::L2, result);
  read_cache(topology, one_per_core, HWLOC_OBJ_L3CACHE, MemoryLevel::L3, result);
  return result;
}

std::vector<std::vector<int>> cpus_by_core(const std::vector<int>& cpus, const char* made_up) {
  const auto loaded = load(made_up);
  std::map<unsigned, std::vector<int>> by_core;  // hwloc numbers cores so that neighbours share caches
  std::vector<std::vector<int>> cores;
  for (const int cpu : cpus)
    if (const auto core = loaded ? around(loaded.get(), cpu, HWLOC_OBJ_CORE) : nullptr)
      by_core[core->logical_index].push_back(cpu);
    else
      cores.push_back({cpu});
  for (auto& [number, core] : by_core) cores.push_back(std::move(core));
  return cores;
}

}  // namespace roofline
