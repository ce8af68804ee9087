#include "tools/mpi/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/levels/measured_levels.hpp"
#include "bench/machine/cgroup.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/machine/topology.hpp"
#include "bench/ranks/siblings.hpp"

namespace roofline::mpi {

Cores share_cores_out(World& world, int threads) {
  const auto mine = allowed_cpus();
  const auto lists = world.all(format_cpu_list(mine));
  const auto local = world.on_node_of(world.rank());
  std::vector<Sibling> siblings;
  std::set<int> together;
  for (std::size_t i = 0; i < local.size(); ++i) {
    const auto cpus = parse_cpu_list(lists[static_cast<std::size_t>(local[i])]);
    siblings.push_back({static_cast<int>(i), cpus, {}});
    together.insert(cpus.begin(), cpus.end());
  }
  const auto place = std::find(local.begin(), local.end(), world.rank()) - local.begin();
  const auto ranks = static_cast<int>(local.size());
  const auto group = find_cgroup("cpu");
  const auto share =
      core_share(cpus_by_core(mine), group ? cpu_quota(*group) : 0, siblings, static_cast<int>(place), ranks, false);
  Cores cores;
  cores.conflict = share.conflict;
  keep_to({together.begin(), together.end()});
  cores.whole = detect_machine();
  keep_to(share.cpus.empty() ? mine : share.cpus);
  cores.own = detect_machine();
  cores.threads =
      threads > 0 ? threads : std::min(cores.own.usable_cores, std::max(1, cores.whole.usable_cores / ranks));
  if (cores.threads > static_cast<int>(cores.own.cpus.size()))
    throw std::invalid_argument(
        fmt::format("--threads={}: {} has {} CPUs", cores.threads, world.name(world.rank()), cores.own.cpus.size()));
  recall_levels(cores.whole, ranks * cores.threads);
  cores.own.largest_llc = cores.whole.largest_llc / static_cast<std::uint64_t>(ranks);
  cores.own.memory_bytes = cores.whole.memory_bytes / ranks;
  cores.own.thread_cpus = pin_threads(cores.own, cores.threads);
  return cores;
}

}  // namespace roofline::mpi
