#include "bench/run/session.hpp"

#include <algorithm>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/run/row_counters.hpp"
#include "bench/run/row_error.hpp"

namespace roofline {

Session::Session(const Suite& suite, const Options& options, const Plan& plan, std::shared_ptr<CounterSource> counter)
    : run_(suite, options, plan), ceilings_(run_), kernels_(run_, std::move(counter)) {
  if (!options.model.empty() || suite.platform() != Platform::cpu) return;
  run_.results.timer.step = timer_step();
  run_.results.timer.known_time_error = known_time_error();
  run_.results.timer.nonlinearity = nonlinearity();
  run_.results.timer.empty_region = empty_region_seconds();
  if (const auto& note = suite.machine().clock_note; !note.empty()) run_.results.warnings.push_back("clock: " + note);
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

void Session::run_kernels(benchmark::BenchmarkReporter& to) {
  kernels_.measure(to);
  auto& results = run_.results;
  results.timer.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  results.core_distances = run_.placement.summary();
  results.complete = interrupted() == 0;
}

void Session::check_drift() {
  const auto before = run_.results.roofline;
  ceilings_.check_drift();
  kernels_.rescale(before);
  if (const auto now = watched_so_far(); now.all > watched_before_.all) run_.results.watched = now - watched_before_;
  run_.results.core_distances = run_.placement.summary();
  run_.results.complete = interrupted() == 0;
}

void Session::annotate(benchmark::BenchmarkReporter::Run& run) const {
  const auto name = run.run_name.function_name;
  run.run_name.iterations.clear();  // they would become part of the name: gpp/nw:6/iterations:1/manual_time
  run.run_name.time_type.clear();
  run.run_name.repetitions.clear();
  if (!row_error(run).empty()) return;
  if (run_.results.model) run.cpu_accumulated_time = 0;  // what the model took is not part of its answer
  const bool aggregate = run.run_type == benchmark::BenchmarkReporter::Run::RT_Aggregate;
  if (aggregate && run.aggregate_name != "mean" && run.aggregate_name != "median") return;
  if (const auto* const rows = ceilings_.found(name)) {
    const auto& ceiling = (*rows)[repetition_of(run, rows->size())];
    if (!aggregate) run.real_accumulated_time = 1e9 / ceiling.rate * static_cast<double>(run.iterations);
    return put_counters(run, ceiling);
  }
  const auto* const rows = kernels_.found(name);
  if (!rows) return;
  const auto& [point, measurement] = (*rows)[repetition_of(run, rows->size())];
  if (!aggregate) {
    const auto n = static_cast<double>(std::max(1, point.samples));
    run.iterations = std::max(1, point.samples);
    run.real_accumulated_time = point.time.median * n;
    run.cpu_accumulated_time = measurement.cpu_seconds * n;
    run.threads = point.threads;
  }
  put_counters(run, point, run_.results.roofline);
}

}  // namespace roofline
