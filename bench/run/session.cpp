#include "bench/run/session.hpp"

#include <fmt/format.h>

#include <set>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/other_programs.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/run/verify.hpp"

namespace roofline {
Session::Session(const Suite& suite, const Options& options, const Plan& plan, std::shared_ptr<CounterSource> counter)
    : run_(suite, options, plan), counter_(std::move(counter)) {
  if (!suite.is_timed() || suite.platform() != Platform::cpu) return;
  auto& timer = run_.results.timer;
  timer.step = timer_step();
  timer.known_time_error = known_time_error();
  timer.nonlinearity = nonlinearity();
  timer.empty_region = empty_region_seconds();
  if (const double quota = suite.machine().quota; stops_one_thread(quota) && suite.threads() == 1)
    run_.results.warnings.push_back(
        fmt::format("throttled: the CPU quota is {} of a core, which stops the only thread; times and rates count only "
                    "running time",
                    quota));
}

void Session::stand_for(const Model& model) {
  run_.results.model = model.about;
  run_.results.ceilings_origin = model.ceilings_origin;
  run_.results.stores = model.stores;
}

void Session::keep_journal(const RowJournal& journal, std::function<void()> after_failure) {
  run_.journal = journal;
  run_.after_failure = std::move(after_failure);
}

void Session::use_ceilings(EarlierRun earlier) {
  auto& results = run_.results;
  for (auto& warning : earlier.warnings) results.warnings.push_back(std::move(warning));
  results.roofline = Roofline(std::move(earlier.ceilings), run_.suite.threads());
  // The rows of both runs are counted alike.
  results.stores = std::move(earlier.stores);
  results.ceilings_origin = {CeilingsOrigin::Kind::imported, std::move(earlier.path)};
}

void Session::measure() {
  auto& results = run_.results;
  if (results.model) {
    std::vector<Ceiling> ceilings;
    for (const auto* variant : run_.plan.ceilings) ceilings.push_back(variant->ceiling);
    results.roofline = Roofline(std::move(ceilings), run_.suite.threads());
    model_kernels();
  } else {
    rounds_ = std::make_unique<Rounds>(run_, counter_);
    rounds_->measure();
    sweep();
    rounds_->finish();
    for (auto& point : results.points) point.cpu_seconds = rounds_->cpu_seconds(point.name);
    if (auto others = noise_.other_programs_text(); !others.empty()) results.warnings.push_back(std::move(others));
    if (const auto steal = noise_.steal()) results.noise = HostNoise{*steal, noise_.throttled(), noise_.others(), nice_value()};
  }
  results.timer.run_seconds = run_.elapsed();
  for (const auto& point : results.points) {
    for (const auto& sample : point.set_aside) results.timer.sampled_seconds += sample.timed();
    for (const auto& sample : point.samples) {
      const double timed = sample.timed();
      results.timer.sampled_seconds += timed;
      if (results.timer.shortest_sample == 0 || timed < results.timer.shortest_sample)
        results.timer.shortest_sample = timed, results.timer.shortest_row = point.name;
    }
  }
  results.interrupted = interrupted() != 0;
  note_unreached();
}

void Session::model_kernels() {
  auto& results = run_.results;
  int n = 0;
  for (const auto* variant : run_.plan.kernels) {
    const auto& row = variant->name;
    ++n;
    if (interrupted()) continue;
    if (const auto why = run_.journal.failure(row); !why.empty()) {
      results.failures.emplace_back(row, why), missing_[row] = why;
      continue;
    }
    run_.progress.show(fmt::format("modelling row {} of {}: {}", n, run_.plan.kernels.size(), row));
    run_.journal.begin(row);
    try {
      const auto* const tuning = tuning_to_model(*variant, run_.known_tunings);
      const auto work = tuning ? tuning->make() : variant->make();
      Counts counts;
      if (const auto* const known = run_.journal.counts(row)) {
        counts = known->counts;
      } else {
        counts = counter_->count(row, work).value_or(Counts());
        run_.journal.add(row, RowJournal::Once{counts, work.declared_flops, 0, {}, {}});
      }
      if (results.stores) counts = restated(std::move(counts), *results.stores);
      auto point = bound_point(*variant, counts, results.roofline);
      point.declared_flops = work.declared_flops;
      if (tuning) point.tuning = tuning->name;
      results.points.push_back(std::move(point));
    } catch (const Interrupted&) {
    } catch (const std::exception& error) {
      missing_[row] = error.what();
      run_.fail(row, error.what());
    }
  }
}

void Session::sweep() {
  const auto* const source = ceiling_source(run_.suite.platform());
  if (!run_.plan.with_ert || !source || interrupted()) return;
  const std::string row = "ERT sweep";
  auto& results = run_.results;
  run_.progress.show(row);
  if (const auto why = run_.journal.failure(row); !why.empty()) {
    results.failures.emplace_back(row, why);
    return;
  }
  run_.journal.begin(row);
  try {
    results.ert = source->sweep(run_.suite);
  } catch (const std::exception& error) {
    return run_.fail(row, error.what());
  }
  for (const auto& sweep : results.ert->sweeps)
    if (!sweep.failure.empty())
      results.failures.emplace_back(fmt::format("ERT sweep, F = {}", sweep.flops_per_element), sweep.failure);
}

std::vector<PlannedRow> Session::planned_rows() const {
  const auto missing = [&](const std::string& row) {
    const auto known = missing_.find(row);
    return known != missing_.end() ? known->second : rounds_ ? rounds_->missing(row) : std::string();
  };
  std::vector<PlannedRow> rows;
  for (const auto* variant : run_.plan.ceilings)
    rows.push_back({.name = variant->ceiling.name, .is_ceiling = true, .missing = missing(variant->ceiling.name)});
  for (const auto* variant : run_.plan.kernels)
    rows.push_back({.name = variant->name, .is_ceiling = false, .missing = missing(variant->name)});
  return rows;
}

void Session::note_unreached() {
  auto& results = run_.results;
  std::set<std::string> found;
  for (const auto& ceiling : results.roofline.ceilings())
    if (ceiling.rate > 0) found.insert(ceiling.name);
  for (const auto& point : results.points) found.insert(point.name);
  for (const auto& row : planned_rows())
    if (row.missing.empty() && !found.contains(row.name)) results.unreached.push_back(row.name);
}

}  // namespace roofline
