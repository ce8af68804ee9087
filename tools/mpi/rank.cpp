#include "tools/mpi/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/levels/measured_levels.hpp"
#include "bench/machine/cgroup.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/machine/topology.hpp"
#include "bench/ranks/place.hpp"
#include "bench/ranks/siblings.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"

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

void write_rank_run(const std::filesystem::path& out, const World& world, const Cores& cores,
                    const std::vector<CommonWindows>& windows, const std::string& date) {
  const auto rank = static_cast<std::size_t>(world.rank());
  const auto local = world.on_node_of(world.rank());
  Results results;
  results.machine = cores.own, results.date = date;
  results.ceilings_origin = {CeilingsOrigin::Kind::measured, "measured in common windows by roofline_mpi"};
  auto& place = results.place.emplace(Place{.node = world.node(world.rank())});
  place.launcher = "MPI", place.rank = world.rank(), place.ranks = world.size();
  place.local_rank = static_cast<int>(std::find(local.begin(), local.end(), world.rank()) - local.begin());
  place.local_ranks = static_cast<int>(local.size());
  place.job = job_of(environment()), place.window = "common", place.conflict = cores.conflict;
  std::vector<Ceiling> ceilings;
  for (const auto& w : windows) {
    if (!w.wrong.empty()) {
      results.failures.emplace_back(w.row, w.wrong);
      continue;
    }
    auto ceiling = w.ceiling;
    ceiling.rate = w.at_best[rank], ceiling.rate_median = w.rates[rank], ceiling.samples = w.samples;
    ceiling.rate_low = std::min(ceiling.rate, ceiling.rate_median);
    ceiling.rate_high = std::max(ceiling.rate, ceiling.rate_median);
    ceiling.variant = w.variant;
    ceilings.push_back(std::move(ceiling));
  }
  results.roofline = Roofline(std::move(ceilings), cores.threads);
  auto context = cores.own.context();
  context.insert({{"date", date},
                  {"host_name", place.node},
                  {"node", place.node},
                  {"launcher", place.launcher},
                  {"rank", std::to_string(world.rank())},
                  {"ranks", std::to_string(world.size())},
                  {"local_rank", std::to_string(*place.local_rank)},
                  {"local_ranks", std::to_string(*place.local_ranks)},
                  {"window", place.window},
                  {"threads", std::to_string(cores.threads)},
                  {"fingerprint", cores.own.fingerprint},
                  {"suite_version", ROOFLINE_VERSION},
                  {"compiler", ROOFLINE_COMPILER}});
  if (!place.job.empty()) context["job"] = place.job;
  if (!place.conflict.empty()) context["disturbed"] = place.conflict;
  const auto file = out / rank_folder(place) / "run.json";
  require_writable(file);
  write_file(file, run_json("", results, context));
}

}  // namespace roofline::mpi
