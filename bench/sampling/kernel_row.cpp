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

// A long sample averages over what disturbs it. Two of them would take the time of other rows' rounds.
constexpr double long_sample = 12e-3;

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

void KernelRow::prepare_samples(double least_seconds, DataSource source) {
  if (launch_) return;
  launch_ = sampled(timer(*work_), least_seconds);
  share_ = 1;
  parts_ = std::max<Index>(1, static_cast<Index>(launch_->seconds / least_seconds));
  // Out of a cache, the next part would not find its data where the last one left its own.
  if (!work_->divided || parts_ == 1 || source != DataSource::memory) return;
  auto next_part = work_->divided(parts_);
  if (const double share = next_part(); share < 1) {
    share_ = share;
    launch_ = sampled(host_timer([next_part] { next_part(); }), least_seconds);
  }
}

RowRound KernelRow::take_round(int round, const std::vector<std::string>& roofs, CeilingWorks& ceilings,
                               const std::function<double()>& now, double least_seconds, DataSource source,
                               double core_distance) {
  prepare_samples(least_seconds, source);
  launch_->source = source;
  RoundParts parts{.roofs = roofs, .guessed = !counted, .seconds = launch_->seconds * launch_->batch};
  if (parts.seconds > long_sample) parts.samples = 1;
  double cpu_seconds = 0;
  parts.kernel = [&] {
    const double cpu = thread_cpu_seconds(), start = now();
    const double seconds = sample(*launch_) / share_;
    cpu_seconds = (thread_cpu_seconds() - cpu) * seconds / std::max(now() - start, 1e-12);
    return Sample{round, start, seconds, launch_->batch * share_};
  };
  parts.roof = [&](const std::string& roof, double seconds) { return ceilings.sample(roof, seconds); };
  auto found = sample_between_roofs(parts);
  found.core_distance = core_distance;
  found.cpu_seconds = cpu_seconds;
  if (work_->clock) found.clock = work_->clock();
  return found;
}

double KernelRow::seconds_in_core() { return work_->in_core.seconds(parts_); }

double KernelRow::keep_busy(double seconds) {
  constexpr double most_launches = 1e6;
  prepare_samples(seconds, DataSource::own_cache);
  const int batch = static_cast<int>(std::clamp(std::round(seconds / launch_->seconds), 1.0, most_launches));
  return launch_->time(batch) / batch / share_;
}

}  // namespace roofline
