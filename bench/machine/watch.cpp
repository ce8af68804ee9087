#include "bench/machine/watch.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/clocks.hpp"
#include "bench/machine/core_waits.hpp"
#include "bench/machine/live_file.hpp"

namespace roofline {
namespace {

constexpr double least_cpu_share = 0.98, most_others = 0.1, most_steal = 0.01;
// What an involuntary switch costs at least: 30 us measured for kernel threads on a quiet machine, more with the
// caches.
constexpr double cost_of_a_switch = 50e-6;
constexpr std::string_view hypervisor = "the hypervisor";
constexpr double shortest_look = 0.02, most_overhead = 0.02;  // seconds between looks at /proc/stat, share of time

rusage of_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// Groups that can be stopped: only those have a quota.
std::vector<LiveFile> open_throttled_groups() {
  std::vector<LiveFile> files;
  const auto group = find_cgroup("cpu");
  if (group && cpu_quota(*group) > 0)
    for (const auto& directory : group->directories) files.emplace_back(directory / "cpu.stat");
  return files;
}

std::uint64_t throttled_periods() {
  static auto groups = open_throttled_groups();
  std::uint64_t periods = 0;
  for (auto& group : groups) periods += parse_throttled(group.read());
  return periods;
}

/// Looks at the machine as often as that is worth its cost.
class Lookout {
 public:
  const std::string& verdict(double now) {
    if (now < next_look_) return verdict_;
    const auto text = stat_.read();
    const auto times = parse_proc_stat(text, ticks_per_second_);
    verdict_ = times ? load_.judge(*times, seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID)) : "";
    const double end = seconds_of(CLOCK_MONOTONIC);
    next_look_ = end + std::max(shortest_look, (end - now) / most_overhead);
    return verdict_;
  }

  /// The next look is the first one.
  void start_anew() { load_ = {}, verdict_.clear(), next_look_ = 0; }

 private:
  LiveFile stat_{"/proc/stat"};
  double ticks_per_second_ = static_cast<double>(::sysconf(_SC_CLK_TCK));
  SystemLoad load_;
  std::string verdict_;
  double next_look_ = 0;
};

Lookout& lookout() {
  static Lookout of_this_process;
  return of_this_process;
}

WatchedTime watched;  // by this process

}  // namespace

bool taken_by_hypervisor(const SampleUse& use) {
  const double most = (1 - least_cpu_share) * use.wall;
  const bool awake = use.throttled_periods == 0 && use.voluntary_switches == 0;
  return awake && use.waited && use.waited->longest < most && use.wall - use.cpu > most;
}

std::string judge(const SampleUse& use) {
  if (use.throttled_periods > 0) return "the control group was stopped for having used up its CPU quota";
  if (use.cpu < least_cpu_share * use.wall)
    return fmt::format("the thread had {:.0f} % of its core", 100 * use.cpu / use.wall);
  if (static_cast<double>(use.involuntary_switches) * cost_of_a_switch > (1 - least_cpu_share) * use.wall)
    return fmt::format("{} involuntary context switch{}", use.involuntary_switches,
                       use.involuntary_switches == 1 ? "" : "es");
  if (use.waited && use.waited->longest > (1 - least_cpu_share) * use.wall)
    return fmt::format("a thread waited for its core during {:.0f} % of the sample",
                       100 * use.waited->longest / use.wall);
  return {};
}

std::optional<SystemTime> parse_proc_stat(std::string_view text, double ticks_per_second) {
  // cpu  user nice system idle iowait irq softirq steal ..., then a line per CPU
  std::istringstream in{std::string(text.substr(0, text.find("\nintr")))};
  std::string line;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  if (!(in >> line >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal) || line != "cpu") return {};
  SystemTime time{.tick = 1 / ticks_per_second};
  time.idle = static_cast<double>(idle + iowait) * time.tick;
  time.stolen = static_cast<double>(steal) * time.tick;
  while (std::getline(in, line)) time.cpus += line.starts_with("cpu");
  if (time.cpus == 0 || user + nice + system + idle == 0) return {};
  return time;
}

bool Overdraft::add(double used, double allowed, double error) {
  // No more debt than half an error is carried beyond the limit, so that a burst is forgiven soon after it ends.
  excess_ = std::clamp(excess_ + used - allowed, 0.0, 1.5 * error);
  return excess_ > error;
}

std::string SystemLoad::judge(const SystemTime& now, double wall, double own_cpu) {
  std::string reason;
  if (before_ && before_->cpus == now.cpus && wall > wall_) {
    const double elapsed = wall - wall_, capacity = elapsed * now.cpus;
    const double stolen = now.stolen - before_->stolen;
    const double others = capacity - (now.idle - before_->idle) - stolen - (own_cpu - own_cpu_);
    if (steal_.add(stolen, most_steal * capacity, now.tick))
      reason = fmt::format("{} takes more than {:.0f} % of the CPU time", hypervisor, 100 * most_steal);
    // Idle time, waiting time and stolen time are each rounded down to a tick.
    if (others_.add(others, most_others * elapsed, 3 * now.tick))
      reason = fmt::format("other processes use more than {} CPUs", most_others);
  }
  before_ = now;
  wall_ = wall, own_cpu_ = own_cpu;
  return reason;
}

Watch::Watch() : throttled_(throttled_periods()), waits_(core_waits()) {
  const auto usage = of_process();
  involuntary_ = usage.ru_nivcsw, voluntary_ = usage.ru_nvcsw;
  cpu_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  wall_ = seconds_of(CLOCK_MONOTONIC);
}

Disturbance Watch::disturbance() const {
  const double now = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  const auto usage = of_process();
  const SampleUse use{.wall = now - wall_,
                      .cpu = cpu - cpu_,
                      .involuntary_switches = usage.ru_nivcsw - involuntary_,
                      .voluntary_switches = usage.ru_nvcsw - voluntary_,
                      .throttled_periods = throttled_periods() - throttled_,
                      .waited = waited_between(waits_, core_waits())};
  Disturbance found{judge(use), lookout().verdict(now), false, use.waited ? use.waited->all : 0};
  found.by_hypervisor = found.own.empty() ? found.machine.starts_with(hypervisor) : taken_by_hypervisor(use);
  watched.all += use.wall;
  if (!found.own.empty() || !found.machine.empty())
    (found.by_hypervisor ? watched.hypervisor : watched.others) += use.wall;
  return found;
}

WatchedTime watched_so_far() { return watched; }

void forget_the_pause() { lookout().start_anew(); }

}  // namespace roofline
