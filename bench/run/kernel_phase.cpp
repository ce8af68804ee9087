#include "bench/run/kernel_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include "bench/machine/interrupt.hpp"
#include "bench/machine/watch.hpp"
#include "bench/run/clock_beside.hpp"
#include "bench/run/filter.hpp"
#include "bench/run/modelled.hpp"
#include "bench/run/verify.hpp"

namespace roofline {
namespace {

std::vector<std::string> names_of(const std::vector<const Variant*>& variants) {
  std::vector<std::string> names;
  for (const auto* variant : variants) names.push_back(variant->name);
  return names;
}

}  // namespace

KernelPhase::KernelPhase(RunState& run, std::shared_ptr<CounterSource> counter)
    : run_(run), counter_(std::move(counter)), dram_probe_(run.suite) {
  budget_ = {.min_samples = 9,
             .min_seconds = run.options.min_time,
             .max_seconds = std::max(run.options.min_time, run.options.quick ? 0.15 : 0.6 / run.passes)};
  budget_.watch = run.suite.platform() != Platform::cuda;
}

Budget KernelPhase::budget() const {
  auto budget = budget_;
  // What others have left over, a row with an interval that is still wide may use.
  const int turns_to_come = static_cast<int>(std::ceil(second_share_ * rows_to_come_));
  if (run_.time.limited()) budget.max_seconds = run_.time.share(turns_to_come, 3 * budget.max_seconds);
  // Rather fewer samples than disturbed ones, in the same time.
  budget.replace_seconds = budget.max_seconds;
  if (run_.time.limited()) budget.give_up_seconds = std::max(budget.max_seconds, 0.02);
  return budget;
}

void KernelPhase::measure(benchmark::BenchmarkReporter& to) {
  const auto& planned = run_.plan.kernels;
  rows_to_come_ = static_cast<int>(planned.size()) * run_.passes;
  if (run_.passes > 1) take_first_looks();
  for (const auto* kernel : planned)
    run_.add_row(kernel->name, [this, kernel](benchmark::State& state) {
      run_kernel(state, *kernel);
      --rows_to_come_;
    });
  if (run_.turns) run_.turns->announce(names_of(planned));
  if (!planned.empty()) run_rows(to);
  hold_drift();
  pool_repetitions();
}

void KernelPhase::take_first_looks() {
  const auto order = shuffled(run_.plan.kernels, run_.suite.seed());
  for (const auto* kernel : order) take_first_look(*kernel), --rows_to_come_;
  // A row whose two turns both met the cores elsewhere would be of no use beside the others.
  auto& placement = run_.placement;
  for (const auto* kernel : order) {
    const auto first = first_look_.find(kernel->name);
    if (first == first_look_.end() || placement.at_home(first->second.point.core_distance)) continue;
    if (!placement.at_home(placement.look())) continue;
    ++rows_to_come_, take_first_look(*kernel), --rows_to_come_;
  }
}

void KernelPhase::take_first_look(const Variant& variant) {
  const auto& row = variant.name;
  if (const auto* const known = run_.journal.first_turn(row)) {
    first_look_[row] = {known->point, known->measurement};
    // Setting it up and verifying it takes about as long as timing it.
    const auto& times = known->measurement;
    first_seconds_[row] = 2 * times.batch * std::accumulate(times.seconds.begin(), times.seconds.end(), 0.0);
    return;
  }
  if (run_.time.limited() && run_.time.left() <= 0) return;
  if (interrupted() || !run_.journal.kernels(row).empty() || !run_.journal.failure(row).empty()) return;
  run_.progress.begin(row);
  run_.journal.begin(row);
  const double begin = run_.time.elapsed();
  try {
    const auto work = set_up(variant);
    require_complete(work);
    work.launch();
    auto timed = time(variant, work);
    if (const auto why = complaint(variant, work, timed.point); !why.empty()) {
      first_failure_[row] = why;
      return;
    }
    run_.journal.add_first_turn(row, {timed.point, timed.measurement});
    first_look_[row] = std::move(timed);
    first_seconds_[row] = run_.time.elapsed() - begin;
  } catch (const std::exception&) {
    // The second look meets the same and reports it.
  }
}

void KernelPhase::run_kernel(benchmark::State& state, const Variant& variant) {
  const auto& row = variant.name;
  if (recall(state, row)) return;
  if (const auto failed = first_failure_.find(row); failed != first_failure_.end())
    return run_.fail(state, row, failed->second);
  const bool late = run_.time.limited() && run_.time.left() <= 0;
  if (interrupted() || late) return enter_first_turn(state, row, interrupted() ? "interrupted" : "no time left");
  if (!second_turn_fits(row)) return enter_first_turn(state, row, "time is short");
  run_.progress.begin(row);
  run_.journal.begin(row);
  try {
    run_.results.model ? model(state, variant) : time_and_verify(state, variant);
  } catch (const Interrupted& stopped) {
    enter_first_turn(state, row, stopped.what());
  } catch (const TooLarge& reason) {
    without_memory(state, variant, reason.what());
  } catch (const std::bad_alloc&) {
    without_memory(state, variant, "out of memory: choose a smaller size");
  } catch (const std::exception& error) {
    run_.fail(state, row, error.what());
  }
}

std::string KernelPhase::complaint(const Variant& variant, const Workload& work, const KernelPoint& point) {
  if (const auto check = work.check(); !check.ok)
    return with_seed(why_wrong([&] { return set_up(variant); }, check.message), run_.suite.seed());
  if (point.counts.operations.flops() == work.declared_flops) return {};
  return fmt::format("{} FLOPs counted, {} declared: the source and its formula differ",
                     point.counts.operations.flops(), work.declared_flops);
}

void KernelPhase::enter_first_turn(benchmark::State& state, const std::string& row, const std::string& why) {
  const auto first = first_look_.find(row);
  if (first == first_look_.end()) {
    if (!interrupted())
      run_.results.left_out.push_back(fmt::format("{}: {}; --benchmark_filter={} measures it", row, why, row));
    return state.SkipWithError(why.c_str());
  }
  first->second.point.given_up = why + ": no second turn";
  enter(state, row, first->second);
}

void KernelPhase::without_memory(benchmark::State& state, const Variant& variant, const std::string& why) {
  if (first_look_.contains(variant.name)) return enter_first_turn(state, variant.name, why);
  const auto& options = run_.options;
  const bool asked = options.has_filter() && Filter(options.filter).selective();
  if (asked || run_.suite.has_fixed_size(variant.family)) return run_.fail(state, variant.name, why);
  auto line = fmt::format("{}: {} (--{}=...)", variant.name, why, variant.family);
  auto& lines = run_.results.left_out;  // which a repetition does not repeat
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  state.SkipWithError(why.c_str());
}

void KernelPhase::enter(benchmark::State& state, const std::string& row, Timed timed) {
  report_time(state, timed.point.time.median);
  found_[row].push_back(std::move(timed));
}

void KernelPhase::time_and_verify(benchmark::State& state, const Variant& variant) {
  const auto& row = variant.name;
  const auto work = set_up(variant);
  require_complete(work);
  work.launch();
  auto timed = time(variant, work);
  if (const auto why = complaint(variant, work, timed.point); !why.empty()) return run_.fail(state, row, why);
  run_.journal.add(row, RowJournal::Kernel{timed.point, timed.measurement});
  enter(state, row, joined_with_first(row, std::move(timed)));
}

void KernelPhase::model(benchmark::State& state, const Variant& variant) {
  // A repetition would find the same numbers.
  if (!found_.contains(variant.name)) {
    const auto* const form = form_to_model(variant, run_.known_forms);
    const auto work = form ? form->make() : variant.make();
    auto point = bound_point(variant, count_once(variant.name, work), run_.results.roofline);
    if (form) point.form = form->name;
    found_[variant.name].push_back({std::move(point), {}});
  }
  report_time(state, found_[variant.name].front().point.time.median);
}

Workload KernelPhase::set_up(const Variant& variant) {
  if (variant.forms.empty()) return variant.make();
  auto& choice = choices_[variant.name];
  if (const auto* const first = run_.journal.first_turn(variant.name); first && choice.form.empty())
    choice = {first->point.form, first->point.trials};
  if (const auto known = run_.known_forms.find(variant.name); known != run_.known_forms.end() && choice.form.empty())
    choice.form = known->second;
  return work_of_form(variant, choice, budget().max_seconds);
}

KernelPhase::Timed KernelPhase::time(const Variant& variant, const Workload& work) {
  // On a GPU a counted launch meets other circumstances than a timed one and leaves others behind: afterwards.
  const bool on_gpu = run_.suite.platform() == Platform::cuda;
  auto counts = on_gpu ? Counts() : count_once(variant.name, work);
  const double in_caches = in_caches_once(variant.name, work, counts);  // what it leaves is overwritten
  const auto beside = beside_of(counts, timer(work)(1));
  const bool lone_pace = beside.pace && run_.results.roofline.is_mostly_of_lone_lines(counts);
  const auto limits = budget();
  ClockBeside clock(core_clock());
  const auto timed = clock.watching(timer(work));
  forget_the_pause();  // what was stolen while the row was set up and counted disturbs no sample
  auto measurement = run_.turns ? measure_in_turns(
                                      timed, [&] { return run_.turns->next(variant.name); }, beside.pace)
                                : roofline::measure(timed, limits, beside);
  if (on_gpu) counts = count_once(variant.name, work);
  KernelPoint point{.name = variant.name,
                    .family = variant.family,
                    .counts = std::move(counts),
                    .time = measurement.interval(),
                    .declared_flops = work.declared_flops,
                    .samples = static_cast<int>(measurement.seconds.size()),
                    .replaced = measurement.replaced,
                    .converged = measurement.converged,
                    .contaminated = measurement.contaminated,
                    .dram_pace = {},
                    .lone_pace = lone_pace,
                    .core_clock = clock.mean(),
                    .core_distance = measurement.distance,
                    .in_caches = in_caches,
                    .threads = run_.suite.threads(),
                    .fma = variant.fma};
  if (const auto choice = choices_.find(variant.name); choice != choices_.end())
    point.form = choice->second.form, point.trials = choice->second.trials;
  note_times(variant.name, measurement);
  if (const double empty = run_.results.timer.empty_region; empty > 0 && point.time.median < 5 * empty)
    run_.warn_once(
        fmt::format("{}: a launch takes {:.2g} us, starting threads alone {:.2g} us: its rates are those of "
                    "starting threads; choose a larger size",
                    variant.name, 1e6 * point.time.median, 1e6 * empty));
  if (!measurement.converged && limits.max_seconds < budget_.max_seconds)
    point.given_up = "time is short: fewer samples";
  note_samples(point, measurement);
  return {std::move(point), std::move(measurement)};
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
  if (const auto* const counts = run_.journal.counts(row)) return counts_[row] = *counts;
  auto& counts = counts_[row] = counter_->count(row, work).value_or(Counts());
  if (const auto& stores = run_.results.stores) counts = restated(std::move(counts), *stores);
  if (run_.results.model) run_.journal.add(row, counts);
  return counts;
}

bool KernelPhase::recall(benchmark::State& state, const std::string& row) {
  const auto& known = run_.journal.kernels(row);
  const auto* const rows = found(row);
  const auto next = rows ? rows->size() : 0;
  if (next >= known.size()) return run_.recall_failure(state, row);
  Timed timed{known[next].point, known[next].measurement};
  enter(state, row, joined_with_first(row, std::move(timed)));
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
      auto all = repetitions->front().measurement;
      for (auto other = repetitions->begin() + 1; other != repetitions->end(); ++other)
        join(point, other->point), add_samples(all, other->measurement);
      all.contaminated = point.contaminated;
      point.time = all.interval(), point.samples = static_cast<int>(all.seconds.size());
      hold_pace(point);
    }
    points.push_back(std::move(point));
  }
}

const std::vector<KernelPhase::Timed>* KernelPhase::found(const std::string& row) const {
  const auto rows = found_.find(row);
  return rows == found_.end() || rows->second.empty() ? nullptr : &rows->second;
}

}  // namespace roofline
