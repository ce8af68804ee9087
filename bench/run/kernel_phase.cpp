#include "bench/run/kernel_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "bench/machine/interrupt.hpp"
#include "bench/run/modelled.hpp"
#include "bench/run/verify.hpp"

namespace roofline {
namespace {

/// Least time of the DRAM traffic at the ceiling of its mix; 0 when either is unknown.
double dram_seconds(const Roofline& roofline, const Counts& counts) {
  const auto* const ceiling = roofline.matching_dram(counts);
  return ceiling ? counts.at(MemoryLevel::DRAM)->total() / ceiling->rate : 0;
}

/// Adds another measurement of the same kernel.
void join(KernelPoint& point, const KernelPoint& other) {
  const auto both = [](auto n, auto m, auto a, auto b) { return (n * a + m * b) / (n + m); };
  point.contaminated = both(point.samples, other.samples, point.contaminated, other.contaminated);
  point.turns = {other.time, point.time};
  point.time = spanning(point.time, other.time);
  point.samples += other.samples;
  point.converged = point.time.relative_half_width() <= Budget{}.target_half_width;
  if (point.dram_pace && other.dram_pace) point.dram_pace = pooled(*point.dram_pace, *other.dram_pace);
}

}  // namespace

KernelPhase::KernelPhase(RunState& run, std::shared_ptr<CounterSource> counter)
    : run_(run), counter_(std::move(counter)), dram_probe_(run.suite) {
  budget_ = {.min_samples = 9,
             .min_seconds = run.options.min_time,
             .max_seconds = std::max(run.options.min_time, run.options.quick ? 0.15 : 0.6 / run.passes)};
  budget_.watch = run.suite.platform() != Platform::cuda;
}

void KernelPhase::measure(benchmark::BenchmarkReporter& to) {
  const auto& planned = run_.plan.kernels;
  if (run_.passes > 1)
    for (const auto* kernel : shuffled(planned, run_.suite.seed())) take_first_look(*kernel);
  for (const auto* kernel : planned)
    run_.add_row(kernel->name, [this, kernel](benchmark::State& state) { run_kernel(state, *kernel); });
  if (!planned.empty()) run_rows(to);
  pool_repetitions();
}

void KernelPhase::take_first_look(const Variant& variant) {
  if (interrupted()) return;
  run_.progress.begin(variant.name);
  try {
    const auto work = variant.make();
    work.launch();
    first_look_[variant.name] = time(variant, work).point;
  } catch (const std::exception&) {
    // The second look meets the same and reports it.
  }
}

void KernelPhase::run_kernel(benchmark::State& state, const Variant& variant) {
  if (interrupted()) return state.SkipWithError("interrupted");
  run_.progress.begin(variant.name);
  if (recall(state, variant.name)) return;
  run_.journal.begin(variant.name);
  try {
    run_.results.model ? model(state, variant) : time_and_verify(state, variant);
  } catch (const std::bad_alloc&) {
    run_.fail(state, variant.name, "out of memory");
  } catch (const std::exception& error) {
    run_.fail(state, variant.name, error.what());
  }
}

void KernelPhase::time_and_verify(benchmark::State& state, const Variant& variant) {
  const auto work = variant.make();
  require_complete(work);
  work.launch();
  auto [point, measurement] = time(variant, work);
  if (const auto check = work.check(); !check.ok)
    return run_.fail(state, variant.name, with_seed(why_wrong(variant, check.message), run_.suite.seed()));
  if (const auto first = first_look_.find(variant.name); first != first_look_.end()) join(point, first->second);
  if (point.counts.operations.flops() != work.declared_flops)
    return run_.fail(state, variant.name,
                     fmt::format("{} FLOPs counted, {} declared: the source and its formula differ",
                                 point.counts.operations.flops(), work.declared_flops));
  report_time(state, point.time.median);
  run_.journal.add(variant.name, RowJournal::Kernel{point, measurement});
  found_[variant.name].push_back({std::move(point), std::move(measurement)});
}

void KernelPhase::model(benchmark::State& state, const Variant& variant) {
  // A repetition would find the same numbers.
  if (!found_.contains(variant.name))
    found_[variant.name].push_back(
        {bound_point(variant, count_once(variant.name, variant.make()), run_.results.roofline), {}});
  report_time(state, found_[variant.name].front().point.time.median);
}

KernelPhase::Timed KernelPhase::time(const Variant& variant, const Workload& work) {
  // On a GPU a counted launch meets other circumstances than a timed one and leaves others behind: afterwards.
  const bool on_gpu = run_.suite.platform() == Platform::cuda;
  auto counts = on_gpu ? Counts() : count_once(variant.name, work);
  const double launch_seconds = timer(work)(1);
  const bool depends_on_dram = dram_seconds(run_.results.roofline, counts) > launch_seconds / 4;
  const auto before = depends_on_dram ? dram_pace(counts) : std::nullopt;
  auto measurement = roofline::measure(timer(work), budget_);
  if (on_gpu) counts = count_once(variant.name, work);
  const auto after = before ? dram_pace(counts) : std::nullopt;
  KernelPoint point{.name = variant.name,
                    .family = variant.family,
                    .counts = std::move(counts),
                    .time = measurement.interval(),
                    .declared_flops = work.declared_flops,
                    .samples = static_cast<int>(measurement.seconds.size()),
                    .converged = measurement.converged,
                    .contaminated = measurement.contaminated,
                    .dram_pace = {},
                    .threads = run_.suite.threads(),
                    .fma = variant.fma};
  note_times(variant.name, measurement);
  if (before && after) point.dram_pace = {*before, *after};
  return {std::move(point), std::move(measurement)};
}

std::optional<double> KernelPhase::dram_pace(const Counts& counts) {
  const auto& results = run_.results;
  const auto* const ceiling = results.roofline.matching_dram(counts);
  if (!ceiling || !results.ceilings_origin.of_this_device()) return std::nullopt;
  std::optional<double> pace;
  try {
    pace = dram_probe_.pace(*ceiling);
  } catch (const std::invalid_argument&) {
    // without the memory for it, which measuring the ceiling had
  }
  if (!pace) run_.warn_once(fmt::format("{} cannot be measured here: the pace of DRAM was not checked", ceiling->name));
  return pace;
}

void KernelPhase::note_times(const std::string& row, const Measurement& m) {
  auto& timer = run_.results.timer;
  for (const double seconds : m.seconds) {
    const double sample = seconds * m.batch;
    timer.sampled_seconds += sample;
    if (timer.shortest_sample == 0 || sample < timer.shortest_sample)
      timer.shortest_sample = sample, timer.shortest_row = row;
  }
}

Counts KernelPhase::count_once(const std::string& row, const Workload& work) {
  const auto known = counts_.find(row);
  if (known != counts_.end()) return known->second;
  return counts_[row] = counter_->count(row, work).value_or(Counts());
}

bool KernelPhase::recall(benchmark::State& state, const std::string& row) {
  const auto& known = run_.journal.kernels(row);
  const auto* const rows = found(row);
  const auto next = rows ? rows->size() : 0;
  if (next >= known.size()) return run_.recall_failure(state, row);
  found_[row].push_back({known[next].point, known[next].measurement});
  report_time(state, known[next].point.time.median);
  return true;
}

void KernelPhase::pool_repetitions() {
  auto& points = run_.results.points;
  points.clear();
  for (const auto* planned : run_.plan.kernels) {
    const auto* const repetitions = found(planned->name);
    if (!repetitions) continue;
    auto point = repetitions->front().point;
    if (repetitions->size() > 1) {
      auto all = repetitions->front().measurement.seconds;
      for (auto other = repetitions->begin() + 1; other != repetitions->end(); ++other) {
        join(point, other->point);
        all.insert(all.end(), other->measurement.seconds.begin(), other->measurement.seconds.end());
      }
      point.time = median_interval(all);
      point.samples = static_cast<int>(all.size());
    }
    points.push_back(std::move(point));
  }
}

const std::vector<KernelPhase::Timed>* KernelPhase::found(const std::string& row) const {
  const auto rows = found_.find(row);
  return rows == found_.end() ? nullptr : &rows->second;
}

}  // namespace roofline
