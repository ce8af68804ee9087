#include "bench/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/run/verify.hpp"
#include "bench/storage/row_text.hpp"
#include "bench/storage/stored_run.hpp"

namespace roofline {
namespace {

/// Which of `n` repetitions a row of Google Benchmark is about.
std::size_t repetition_of(const benchmark::BenchmarkReporter::Run& run, std::size_t n) {
  return std::min<std::size_t>(n - 1, run.repetition_index < 0 ? 0 : static_cast<std::size_t>(run.repetition_index));
}

}  // namespace

Session::Session(const Suite& suite, const Options& options, const Plan& plan, std::shared_ptr<CounterSource> counter)
    : run_(suite, options, plan), counter_(std::move(counter)) {
  if (!suite.is_timed() || suite.platform() != Platform::cpu) return;
  auto& timer = run_.results.timer;
  timer.step = timer_step();
  timer.known_time_error = known_time_error();
  timer.nonlinearity = nonlinearity();
  timer.empty_region = empty_region_seconds();
  if (const double quota = suite.machine().quota; stops_one_thread(quota) && suite.threads() == 1)
    run_.results.warnings.push_back(fmt::format(
        "throttled: the CPU quota is {} of a core, which stops the one thread there is; times and rates are "
        "of running time, without the stops",
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
    if (const auto steal = noise_.steal()) results.noise = HostNoise{*steal, noise_.throttled()};
  }
  results.timer.run_seconds = run_.elapsed();
  for (const auto& point : results.points)
    for (const auto& sample : point.samples) {
      const double timed = sample.timed();
      results.timer.sampled_seconds += timed;
      if (results.timer.shortest_sample == 0 || timed < results.timer.shortest_sample)
        results.timer.shortest_sample = timed, results.timer.shortest_row = point.name;
    }
  results.interrupted = interrupted() != 0;
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
      results.points.push_back(point);
      modelled_[row] = {std::move(point)};
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

const Ceiling* Session::ceiling(const std::string& row) const {
  for (const auto& ceiling : run_.results.roofline.ceilings())
    if (ceiling.name == row && ceiling.rate > 0) return &ceiling;
  return nullptr;
}

void Session::report(benchmark::BenchmarkReporter& to) {
  bool any = false;
  const auto add = [&](const std::string& row, auto seconds) {
    any = true;
    auto* const registered =
        benchmark::RegisterBenchmark(row.c_str(), [=, this, n = 0](benchmark::State& state) mutable {
          const double time = seconds(n++);
          if (time > 0) {
            for (auto _ : state) state.SetIterationTime(time);
            return;
          }
          const auto known = missing_.find(row);
          const auto why = known != missing_.end() ? known->second : rounds_ ? rounds_->missing(row) : std::string();
          if (auto& rows = run_.results.unreached; why.empty() && (rows.empty() || rows.back() != row))
            rows.push_back(row);  // once for all of its repetitions
          state.SkipWithError(why.empty() ? "interrupted" : why.c_str());
        });
    registered->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
    if (run_.options.repetitions > 1) registered->Repetitions(run_.options.repetitions);
  };
  for (const auto* variant : run_.plan.ceilings)
    add(variant->ceiling.name, [this, row = variant->ceiling.name](int) {
      const auto* const found = ceiling(row);
      return found ? 1e9 / found->rate : 0.0;  // the library wants a time: that of one giga-unit of work
    });
  for (const auto* variant : run_.plan.kernels)
    add(variant->name, [this, row = variant->name](int n) {
      const auto& points = rounds_ ? rounds_->repetitions(row) : modelled_[row];
      if (points.empty()) return 0.0;
      return points[std::min(points.size() - 1, static_cast<std::size_t>(n))].time.median;
    });
  if (any) benchmark::RunSpecifiedBenchmarks(&to, "all");
  benchmark::ClearRegisteredBenchmarks();
}

void Session::annotate(benchmark::BenchmarkReporter::Run& run) const {
  const auto name = run.run_name.function_name;
  run.run_name.iterations.clear();  // they would become part of the name: gpp/nw:6/iterations:1/manual_time
  run.run_name.time_type.clear();
  run.run_name.repetitions.clear();
  if (!row_error(run).empty()) return;
  annotate_result(run, name);
  // After everything else: what follows the word "variant=" of a ceiling's label may have blanks.
  if (const auto& place = run_.results.place; place && !place->window.empty())
    run.report_label += (run.report_label.empty() ? "window=" : " window=") + place->window;
}

void Session::annotate_result(benchmark::BenchmarkReporter::Run& run, const std::string& name) const {
  if (run_.results.model) run.cpu_accumulated_time = 0;  // what the model took is not part of its answer
  const bool aggregate = run.run_type == benchmark::BenchmarkReporter::Run::RT_Aggregate;
  if (aggregate && run.aggregate_name != "mean" && run.aggregate_name != "median") return;
  if (const auto* const found = run_.suite.ceiling(name) ? ceiling(name) : nullptr) {
    if (!aggregate) run.real_accumulated_time = 1e9 / found->rate * static_cast<double>(run.iterations);
    return put_counters(run, *found);
  }
  static const std::vector<KernelPoint> none;
  const auto modelled = modelled_.find(name);
  const auto& points = modelled != modelled_.end() ? modelled->second : rounds_ ? rounds_->repetitions(name) : none;
  if (points.empty()) return;
  const auto& point = points[repetition_of(run, points.size())];
  if (!aggregate && rounds_) {
    const auto n = static_cast<double>(point.samples.size());
    run.iterations = static_cast<benchmark::IterationCount>(point.samples.size());
    run.real_accumulated_time = point.time.median * n;
    run.cpu_accumulated_time = rounds_->cpu_seconds(name) * n;
    run.threads = point.threads;
  }
  put_counters(run, point, run_.results.roofline);
  if (rounds_ && stops_one_thread(run_.suite.machine().quota) && run_.suite.threads() == 1)
    run.report_label += " throttled";
}

}  // namespace roofline
