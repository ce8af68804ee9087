#include "bench/run/ceiling_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/machine/interrupt.hpp"
#include "bench/run/ceilings_file.hpp"

namespace roofline {
namespace {

constexpr double drift_warning = 0.03, drift_unstable = 0.05;  // P9 of the physics checks

}  // namespace

CeilingPhase::CeilingPhase(RunState& run) : run_(run) {
  // A ceiling that a disturbance lowers would raise every efficiency: rather take longer.
  budget_ = {.min_samples = 9,
             .min_seconds = run.options.min_time,
             .max_seconds = std::max(run.options.min_time, run.options.quick ? 0.05 : 0.25),
             .patience = 6};
  budget_.watch = run.suite.platform() != Platform::cuda;
}

void CeilingPhase::import(std::vector<Ceiling> ceilings, std::string path) {
  auto& results = run_.results;
  for (auto& warning : ceilings_warnings(path, ceilings, run_.suite)) results.warnings.push_back(std::move(warning));
  results.roofline = Roofline(std::move(ceilings), run_.suite.threads());
  results.ceilings_origin = {CeilingsOrigin::Kind::imported, std::move(path)};
}

void CeilingPhase::measure(benchmark::BenchmarkReporter& to) {
  const auto& planned = run_.plan.ceilings;
  for (const auto* ceiling : planned)
    run_.add_row(ceiling->ceiling.name, [this, ceiling](benchmark::State& state) { run_ceiling(state, *ceiling); });
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
}

void CeilingPhase::run_ceiling(benchmark::State& state, const CeilingVariant& variant) {
  const auto& name = variant.ceiling.name;
  if (interrupted()) return state.SkipWithError("interrupted");
  run_.progress.begin(name);
  if (recall(state, name)) return;
  run_.journal.begin(name);
  try {
    std::string failure;
    const auto ceiling = variant.make.empty() ? variant.ceiling : measure_ceiling(variant, budget_, &failure);
    if (!failure.empty()) return run_.fail(state, name, failure);
    found_[name].push_back(ceiling);
    run_.journal.add(name, ceiling);
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

void CeilingPhase::check_drift() {
  const auto& results = run_.results;
  if (!results.ceilings_origin.of_this_device() || interrupted()) return;
  for (const auto* before : {results.roofline.compute(Operation::fma), results.roofline.bandwidth(MemoryLevel::DRAM)})
    if (before) compare_again(*before);
}

void CeilingPhase::compare_again(const Ceiling& before) {
  const auto* const variant = run_.suite.ceiling(before.name);
  if (!variant) return;
  auto& results = run_.results;
  std::string failure;
  double drift = 0;
  try {
    drift = measure_ceiling(*variant, budget_, &failure).rate / before.rate - 1;
  } catch (const std::invalid_argument& error) {
    return run_.warn_once(
        fmt::format("{} cannot be measured again, its drift was not checked: {}", before.name, error.what()));
  }
  if (!failure.empty()) results.failures.emplace_back(before.name, failure);
  results.drifts.emplace_back(before.name, drift);
  if (std::abs(drift) <= drift_warning) return;
  const bool imported = results.ceilings_origin.kind == CeilingsOrigin::Kind::imported;
  results.warnings.push_back(fmt::format("{} moved by {:+.1f} % {}: {}", before.name, 100 * drift,
                                         imported ? "since " + results.ceilings_origin.text : "during the run",
                                         std::abs(drift) > drift_unstable
                                             ? "the machine is not quiet, take no efficiency for granted"
                                             : "expect differences of this size"));
}

const std::vector<Ceiling>* CeilingPhase::found(const std::string& row) const {
  const auto rows = found_.find(row);
  return rows == found_.end() ? nullptr : &rows->second;
}

}  // namespace roofline
