#include "bench/run/rank_setup.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/machine/topology.hpp"
#include "bench/ranks/place.hpp"
#include "bench/ranks/siblings.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

constexpr double longest_wait = 5;  // seconds: ranks of a node start together

/// A rank that does not print discards its output; its errors are on standard error.
void print_nothing() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
  Progress::silence();
}

/// Whether these CPUs are all that the machine, or the control group of the job, has.
bool is_whole_machine(const std::vector<int>& cpus) {
  auto all = parse_cpu_list(read_text("/sys/devices/system/cpu/online"));
  if (const auto granted = parse_cpu_list(cgroup_cpuset()); !granted.empty()) {
    std::vector<int> both;
    std::set_intersection(all.begin(), all.end(), granted.begin(), granted.end(), std::back_inserter(both));
    if (!both.empty()) all = both;
  }
  return cpus.size() >= all.size();
}

void share_cores(RankSetup& setup, const std::vector<int>& cpus, const std::vector<Sibling>& siblings) {
  auto& place = setup.place;
  const auto group = find_cgroup("cpu");
  const auto share = core_share(cpus_by_core(cpus), group ? cpu_quota(*group) : 0, siblings, *place.local_rank,
                                *place.local_ranks, is_whole_machine(cpus));
  place.conflict = share.conflict;
  setup.notes.push_back(share.note);
  if (!keep_to(share.cpus)) setup.notes.emplace_back("the system does not let this rank keep to its cores");
}

/// The messages between ranks of a node.
void meet_siblings(RankSetup& setup, const Environment& variables) {
  const auto& place = setup.place;
  const auto cpus = allowed_cpus();
  const auto devices = variables.find("CUDA_VISIBLE_DEVICES");
  const Sibling self{*place.local_rank, cpus, devices == variables.end() ? std::string() : devices->second};
  // Until the program ends: one that comes late still finds it.
  static std::optional<Siblings> siblings;
  siblings.emplace(sibling_folder(), session_of(place, variables), place, self);
  const auto found = siblings->all(longest_wait);
  for (const auto& sibling : found)
    if (sibling.devices == self.devices) setup.with_these_devices.push_back(sibling.local_rank);
  share_cores(setup, cpus, found);
}

}  // namespace

RankSetup set_up_rank(Options& options) {
  // As if it had been set from outside: runs that this one starts have the same name.
  if (!options.node.empty()) ::setenv(node_variable, options.node.c_str(), 1);
  const auto variables = environment();
  auto detected = options.ranks ? detect_place(variables) : Detected{};
  RankSetup setup{std::move(detected.place), {}, {}};
  auto& place = setup.place;
  place.node = node_name(variables), place.job = job_of(variables);
  if (!detected.warning.empty()) setup.notes.push_back(std::move(detected.warning));
  if (place.silent()) print_nothing();
  if (!place.among_others()) return setup;
  place.window = "own";
  if (place.silent()) options.benchmark_out.clear();  // one file cannot be that of all
  options.out = (std::filesystem::path(options.out) / rank_folder(place)).string();
  const bool names = options.list || options.list_tests || !options.describe.empty();
  if (names || place.local_ranks == 1) return setup;
  if (place.local_rank && place.local_ranks)
    meet_siblings(setup, variables);
  else
    setup.notes.push_back(
        fmt::format("{} does not tell how many ranks are on this node: its cores are not shared out", place.launcher));
  if (const auto cpus = allowed_cpus().size(); options.threads > static_cast<int>(cpus))
    throw std::invalid_argument(
        fmt::format("--threads={}: this rank has {} CPU{}", options.threads, cpus, cpus == 1 ? "" : "s"));
  return setup;
}

std::string shared_device(const RankSetup& setup, const Gpu& gpu, int devices, bool chosen) {
  std::vector<int> others;
  const int mine = setup.place.local_rank.value_or(0);
  for (const int rank : setup.with_these_devices)
    if (rank != mine && (chosen || rank % devices == mine % devices)) others.push_back(rank);
  if (others.empty()) return {};
  return fmt::format("GPU {} is also used by local rank{} {}", gpu.index, others.size() == 1 ? "" : "s",
                     fmt::join(others, ", "));
}

}  // namespace roofline
