#include "bench/sampling/kernel_row.hpp"

#include <algorithm>
#include <cmath>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/statistics.hpp"
#include "bench/suite/launch_check.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline {
namespace {

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

KernelRow::KernelRow(const Variant& variant, int threads) : variant_(&variant) {
  point.name = variant.name;
  point.family = variant.family;
  point.problem = variant.problem;
  point.fma = variant.fma;
  point.threads = threads;
}

const Workload& KernelRow::work(double trial_seconds) {
  if (work_) return *work_;
  Choice choice{point.tuning, point.trials};
  auto work = variant_->tunings.empty() ? variant_->make() : work_of_tuning(*variant_, choice, trial_seconds);
  require_complete(work);
  work.launch();
  point.tuning = choice.tuning;
  point.trials = choice.trials;
  point.declared_flops = work.declared_flops;
  return work_.emplace(std::move(work));
}

RowRound KernelRow::take_round(int round, const std::vector<std::string>& roofs, CeilingWorks& ceilings,
                               const std::function<double()>& now, double least_seconds, DataSource source,
                               double core_distance) {
  if (!launch_) launch_ = sampled(timer(*work_), least_seconds);
  launch_->source = source;
  RoundParts parts{.roofs = roofs, .guessed = !counted, .seconds = launch_->seconds * launch_->batch};
  double cpu_seconds = 0;
  parts.kernel = [&] {
    const double cpu = thread_cpu_seconds(), start = now();
    const double seconds = sample(*launch_);
    cpu_seconds = (thread_cpu_seconds() - cpu) * seconds / std::max(now() - start, 1e-12);
    return Sample{round, start, seconds, launch_->batch};
  };
  parts.roof = [&](const std::string& roof, double seconds) { return ceilings.sample(roof, seconds); };
  auto found = sample_between_roofs(parts);
  found.core_distance = core_distance;
  found.cpu_seconds = cpu_seconds;
  if (work_->clock) found.clock = work_->clock();
  return found;
}

double KernelRow::keep_busy(double seconds) {
  constexpr double most_launches = 1e6;
  if (!launch_) launch_ = sampled(timer(*work_), seconds);
  const int batch = static_cast<int>(std::clamp(std::round(seconds / launch_->seconds), 1.0, most_launches));
  return launch_->time(batch) / batch;
}

}  // namespace roofline
