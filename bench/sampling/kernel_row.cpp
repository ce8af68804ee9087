#include "bench/sampling/kernel_row.hpp"

#include <algorithm>
#include <cmath>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/statistics.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

const Workload& KernelRow::work(double trial_seconds) {
  if (work_) return *work_;
  auto work = variant_->tunings.empty() ? variant_->make() : work_of_tuning(*variant_, choice, trial_seconds);
  require_complete(work);
  work.launch();
  declared_flops = work.declared_flops;
  return work_.emplace(std::move(work));
}

RowRound KernelRow::take_round(int round, const std::vector<std::string>& probes, CeilingWorks& ceilings,
                               const std::function<double()>& now, double least_seconds) {
  if (!launch_) launch_ = sampled(timer(*work_), least_seconds);
  RowRound found;
  std::map<std::string, std::vector<double>> rates;
  std::size_t next = 0;
  const auto probe = [&] {
    if (probes.empty()) return;
    const auto& ceiling = probes[next++ % probes.size()];
    rates[ceiling].push_back(ceilings.sample(ceiling, round));
  };
  probe();
  const double cpu = thread_cpu_seconds(), start = now();
  const double seconds = sample(*launch_);
  cpu_seconds = (thread_cpu_seconds() - cpu) * seconds / std::max(now() - start, 1e-12);
  found.samples.push_back({round, start, seconds, launch_->batch});
  if (work_->clock) found.clock = work_->clock();
  probe();
  // Of two or three each is asked at least once.
  while (next < probes.size() && !interrupted()) probe();
  for (auto& [ceiling, of_round] : rates) found.probes[ceiling] = median(of_round);
  return found;
}

double KernelRow::keep_busy(double seconds) {
  constexpr double most_launches = 1e6;
  if (!launch_) launch_ = sampled(timer(*work_), seconds);
  const int batch = static_cast<int>(std::clamp(std::round(seconds / launch_->seconds), 1.0, most_launches));
  return launch_->time(batch) / batch;
}

void KernelRow::add(int round, const RowRound& found) { rounds_.emplace_back(round, found); }

KernelPoint KernelRow::point(int threads, int first, int n) const {
  KernelPoint point;
  point.name = variant_->name, point.family = variant_->family, point.problem = variant_->problem,
  point.fma = variant_->fma;
  point.declared_flops = declared_flops;
  point.threads = threads;
  point.tuning = choice.tuning, point.trials = choice.trials;
  point.in_core = in_core, point.watts = watts, point.joules = joules;
  std::vector<double> all, medians, clocks;
  int number = 0;
  for (const auto& [round, found] : rounds_) {
    if (round < first || round >= first + n || found.samples.empty()) continue;
    std::vector<double> seconds;
    for (auto sample : found.samples) {
      sample.round = number;
      point.samples.push_back(sample);
      seconds.push_back(sample.seconds);
    }
    for (const auto& [ceiling, rate] : found.probes) {
      auto probe = std::find_if(point.probes.begin(), point.probes.end(),
                                [&, &name = ceiling](const Probe& p) { return p.ceiling == name; });
      if (probe == point.probes.end()) probe = point.probes.insert(probe, {ceiling, {}});
      probe->rates.resize(static_cast<std::size_t>(number));  // an earlier process may have had other probes
      probe->rates.push_back(rate);
    }
    all.insert(all.end(), seconds.begin(), seconds.end());
    medians.push_back(median(seconds));
    if (found.clock > 0) clocks.push_back(found.clock);
    ++number;
  }
  if (all.empty()) return point;
  if (!clocks.empty()) point.clock = median(clocks);
  const auto rounds = median_interval(medians);
  point.time.median = median(all);
  point.time.low = std::min(rounds.low, point.time.median), point.time.high = std::max(rounds.high, point.time.median);
  return point;
}

}  // namespace roofline
