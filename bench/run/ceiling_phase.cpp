#include "bench/run/ceiling_phase.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/interrupt.hpp"
#include "bench/run/ceilings_file.hpp"
#include "bench/run/foreign_core.hpp"
#include "bench/run/stored_run.hpp"

namespace roofline {
namespace {

constexpr double brief_seconds = 0.05;  // of --quick, and of what is late

}  // namespace

CeilingPhase::CeilingPhase(RunState& run) : run_(run) {
  // A ceiling that a disturbance lowers would raise every efficiency: rather take longer.
  budget_ = {.min_samples = 9,
             .min_seconds = run.options.min_time,
             .max_seconds = std::max(run.options.min_time, run.options.quick ? brief_seconds : 0.25),
             .patience = 6};
  budget_.watch = run.suite.platform() != Platform::cuda;
  budget_.replace_seconds = budget_.watch ? (run.options.quick ? 0.3 : 1.5) : 0;
}

Budget CeilingPhase::budget() const {
  auto now = budget_;
  if (run_.time.limited())
    now.give_up_seconds = std::max(brief_seconds, run_.time.share_of_ceiling(rows_to_come_, 8 * now.max_seconds));
  if (!run_.time.ceilings_are_late()) return now;
  run_.warn_once("time is short: the later ceilings were measured briefly, disturbed samples were not all taken again");
  now.max_seconds = std::min(now.max_seconds, std::max(now.min_seconds, brief_seconds));
  now.patience = 1, now.replace_seconds = 0, now.give_up_seconds = now.max_seconds;
  return now;
}

void CeilingPhase::import(std::vector<Ceiling> ceilings, std::string path) {
  auto& results = run_.results;
  for (auto& warning : ceilings_warnings(path, ceilings, run_.suite)) results.warnings.push_back(std::move(warning));
  results.roofline = Roofline(std::move(ceilings), run_.suite.threads());
  // The rows of both runs are counted alike.
  results.stores = read_stores(path, run_.suite.threads());
  results.ceilings_origin = {CeilingsOrigin::Kind::imported, std::move(path)};
  settle_stores();
  if (run_.suite.platform() == Platform::cpu) withdraw_theory();
}

void CeilingPhase::settle_stores() {
  if (run_.suite.platform() != Platform::cpu) return;
  auto& roofline = run_.results.roofline;
  auto& stores = run_.results.stores;
  const int threads = run_.suite.threads();
  if (!stores) stores = store_policy(roofline.ceilings(), threads);
  roofline = Roofline(restated(roofline.ceilings(), *stores), threads);
}

void CeilingPhase::measure(benchmark::BenchmarkReporter& to) {
  const auto& planned = run_.plan.ceilings;
  rows_to_come_ = static_cast<int>(planned.size());
  for (const auto* ceiling : planned)
    run_.add_row(ceiling->ceiling.name, [this, ceiling](benchmark::State& state) {
      run_ceiling(state, *ceiling);
      --rows_to_come_;
    });
  if (!planned.empty()) run_rows(to);
  std::vector<Ceiling> best;
  for (const auto* ceiling : planned) {
    const auto* const rows = found(ceiling->ceiling.name);
    if (!rows) continue;
    auto repetitions = *rows;  // of several repetitions the middle one
    std::sort(repetitions.begin(), repetitions.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
    best.push_back(repetitions[repetitions.size() / 2]);
  }
  if (best.empty()) return;
  // Imported ones that were not measured again stay.
  auto& roofline = run_.results.roofline;
  for (const auto& known : roofline.ceilings())
    if (std::none_of(best.begin(), best.end(), [&](const Ceiling& c) { return c.name == known.name; }))
      best.push_back(known);
  roofline = Roofline(std::move(best), run_.suite.threads());
  if (run_.suite.platform() != Platform::cpu) return;
  if (run_.options.repetitions == 1) look_again();
  withdraw_theory();
  settle_stores();
}

void CeilingPhase::withdraw_theory() {
  auto all = run_.results.roofline.ceilings();
  for (auto& why : {withdraw_foreign_theory(all, run_.suite.machine()), withdraw_foreign_latencies(all)})
    if (!why.empty()) run_.results.warnings.push_back(why);
  run_.results.roofline = Roofline(std::move(all), run_.suite.threads());
}

void CeilingPhase::replace(const Ceiling& better) {
  if (const auto rows = found_.find(better.name); rows != found_.end()) rows->second = {better};
  auto all = run_.results.roofline.ceilings();
  for (auto& ceiling : all) {
    if (ceiling.name != better.name) continue;
    const bool has_theory = ceiling.theory.has_value();  // or it was withdrawn
    ceiling = in_account_of(better, ceiling);
    if (!has_theory) ceiling.theory.reset();
  }
  run_.results.roofline = Roofline(std::move(all), run_.suite.threads());
}

void CeilingPhase::run_ceiling(benchmark::State& state, const CeilingVariant& variant) {
  const auto& name = variant.ceiling.name;
  if (recall(state, name)) return;
  if (interrupted()) return state.SkipWithError("interrupted");
  if (run_.time.limited() && run_.time.left() <= 0) {
    run_.results.left_out.push_back(name + ": no time left");
    return state.SkipWithError("no time left");
  }
  run_.progress.begin(name);
  run_.journal.begin(name);
  try {
    std::string failure;
    const auto ceiling =
        variant.make.empty() ? variant.ceiling : measure_ceiling(variant, budget(), &failure, &run_.placement);
    if (!failure.empty()) return run_.fail(state, name, failure);
    // Cut short, it may not be the best of its variants; a resumed run measures it in full.
    if (interrupted() && !variant.make.empty()) return state.SkipWithError("interrupted");
    found_[name].push_back(ceiling);
    // One that is described or imported follows from the command line.
    if (!variant.make.empty()) run_.journal.add(name, ceiling);
    // Google Benchmark wants a time: that of one giga-unit of work.
    report_time(state, 1e9 / ceiling.rate);
  } catch (const NoSuchCeiling& why) {
    run_.results.left_out.push_back(fmt::format("{}: {}", name, why.what()));
    state.SkipWithError(why.what());
  } catch (const std::exception& error) {
    run_.fail(state, name, error.what());
  }
}

bool CeilingPhase::recall(benchmark::State& state, const std::string& row) {
  const auto& known = run_.journal.ceilings(row);
  const auto* const rows = found(row);
  const auto next = rows ? rows->size() : 0;
  if (next >= known.size()) return run_.recall_failure(state, row);
  found_[row].push_back(known[next]);
  report_time(state, 1e9 / known[next].rate);
  return true;
}

void CeilingPhase::sweep() {
  const auto* const source = ceiling_source(run_.suite.platform());
  if (!run_.plan.with_ert || !source || interrupted()) return;
  const std::string row = "ERT sweep";
  if (run_.time.ceilings_are_late()) {
    run_.results.left_out.push_back(row + ": time is short, kernels come first; --time-limit gives more");
    return;
  }
  run_.progress.begin(row);
  auto& results = run_.results;
  if (const auto why = run_.journal.failure(row); !why.empty()) {
    results.failures.emplace_back(row, why);
    return;
  }
  run_.journal.begin(row);
  try {
    results.ert = source->sweep(run_.suite);
  } catch (const std::exception& error) {
    results.failures.emplace_back(row, error.what());
    run_.journal.fail(row, error.what());
    if (run_.after_failure) run_.after_failure();
    return;
  }
  for (const auto& sweep : results.ert->sweeps)
    if (!sweep.failure.empty())
      results.failures.emplace_back(fmt::format("ERT sweep, F = {}", sweep.flops_per_element), sweep.failure);
}

const std::vector<Ceiling>* CeilingPhase::found(const std::string& row) const {
  const auto rows = found_.find(row);
  return rows == found_.end() ? nullptr : &rows->second;
}

}  // namespace roofline
