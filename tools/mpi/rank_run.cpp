#include <algorithm>

#include "bench/ranks/place.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tools/mpi/report.hpp"

namespace roofline::mpi {

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
