#include "bench/run/ceiling_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/machine/interrupt.hpp"
#include "bench/run/ceiling_suspicion.hpp"
#include "bench/run/ceilings_file.hpp"
#include "bench/run/foreign_core.hpp"
#include "bench/run/stored_run.hpp"

namespace roofline {
namespace {

constexpr double drift_warning = 0.03, drift_unstable = 0.05;  // P9 of the physics checks
constexpr double brief_seconds = 0.05;                         // of --quick, and of what is late
constexpr int fewest_for_an_interval = 6;                      // of the median, at 95 %

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
  if (run_.time.limited()) now.give_up_seconds = 8 * now.max_seconds;
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

void CeilingPhase::look_again() {
  const double seconds = run_.options.quick ? 2 : 15;
  const TimeKeeper looking(seconds);
  for (int round = 0; round < 2; ++round)
    for (const auto& [name, why, least] : suspicious_ceilings(run_.results.roofline.ceilings())) {
      if (interrupted() || looking.left() <= 0 || run_.time.ceilings_are_late() || !found(name)) continue;
      const double before = found(name)->back().rate;
      const auto again = measured_again(name);
      if (!again || again->rate <= before) continue;
      replace(*again);
      run_.journal.replace(name, *again);
      if (again->rate > (1 + drift_warning) * before)
        run_.results.warnings.push_back(
            fmt::format("{} was {}, measured again it is {:+.1f} % better: that replaces it", name, why,
                        100 * (again->rate / before - 1)));
    }
}

std::optional<Ceiling> CeilingPhase::measured_again(const std::string& name) {
  const auto* const variant = run_.suite.ceiling(name);
  if (!variant || variant->make.empty()) return std::nullopt;
  try {
    std::string failure;
    auto again = measure_ceiling(*variant, budget(), &failure);
    if (failure.empty() && !interrupted()) return again;
  } catch (const std::exception&) {
    // It has been measured once, and that stands.
  }
  return std::nullopt;
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
    const auto ceiling = variant.make.empty() ? variant.ceiling : measure_ceiling(variant, budget(), &failure);
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

Budget CeilingPhase::last_budget() const {
  auto last = budget_;
  if (!run_.time.limited()) return last;
  const double part = std::max(0.02, (run_.time.seconds() - run_.time.elapsed()) / 8);
  for (auto* const seconds : {&last.max_seconds, &last.replace_seconds}) *seconds = std::min(*seconds, part);
  last.patience = std::min(last.patience, part / last.max_seconds);
  last.give_up_seconds = part;
  return last;
}

void CeilingPhase::check_drift() {
  if (!run_.results.ceilings_origin.of_this_device() || interrupted()) return;
  // Copies: a better value makes a new roofline, and the old one's ceilings are gone.
  std::vector<Ceiling> before;
  for (const auto* roof :
       {run_.results.roofline.compute(Operation::fma), run_.results.roofline.bandwidth(MemoryLevel::DRAM)})
    if (roof) before.push_back(*roof);
  for (const auto& ceiling : before) compare_again(ceiling);
  if (run_.suite.platform() == Platform::cpu && run_.options.repetitions == 1) take_second_look();
}

void CeilingPhase::take_second_look() {
  // What a guest does not see, as it seems a neighbour on the other hardware thread of a core, takes a third or half of
  // L1 for seconds.
  auto ceilings = run_.plan.ceilings;
  std::stable_partition(ceilings.begin(), ceilings.end(),
                        [](const auto* c) { return c->ceiling.kind == Ceiling::Kind::bandwidth; });
  Budget brief = budget_;
  brief.patience = 1, brief.replace_seconds = brief.max_seconds;
  if (run_.time.limited()) brief.give_up_seconds = brief.max_seconds;
  int looks = 0, better = 0;
  std::pair<double, std::string> most{0, ""};
  for (const auto* const variant : ceilings) {
    const auto& name = variant->ceiling.name;
    const auto& drifts = run_.results.drifts;
    const bool known = std::any_of(drifts.begin(), drifts.end(), [&](const auto& d) { return d.first == name; });
    if (known || !found(name) || variant->make.empty() || variant->ceiling.sustained) continue;
    if (interrupted() || run_.time.is_up()) break;
    ++looks;
    const auto before = found(name)->back();
    try {
      std::string failure;
      const auto now = measure_variant(*variant, before.winner, brief, failure);
      const double gain = now.rate / before.rate - 1;
      const bool by_chance = now.samples < fewest_for_an_interval || now.rate_low <= before.rate;
      if (!failure.empty() || interrupted() || gain <= drift_warning || by_chance) continue;
      replace(now);
      most = std::max(most, {gain, name}), ++better;
    } catch (const std::exception&) {
      // It has been measured once, and that stands.
    }
  }
  if (better > 0)
    run_.results.warnings.push_back(
        fmt::format("{} of {} ceilings measured again at the end were more than {:.0f} % better, up to {:+.0f} % ({}): "
                    "these replace the first ones, which the run has printed",
                    better, looks, 100 * drift_warning, 100 * most.first, most.second));
}

void CeilingPhase::compare_again(const Ceiling& before) {
  const auto* const variant = run_.suite.ceiling(before.name);
  if (!variant) return;
  auto& results = run_.results;
  std::string failure;
  Ceiling now;
  try {
    now = measure_ceiling(*variant, last_budget(), &failure);
  } catch (const std::invalid_argument& error) {
    return run_.warn_once(
        fmt::format("{} cannot be measured again, its drift was not checked: {}", before.name, error.what()));
  }
  if (interrupted()) return;
  if (!failure.empty()) results.failures.emplace_back(before.name, failure);
  // Kernels are held against a ceiling at the clock that they had: what differs at one clock is drift.
  const double drift = in_account_of(now, before).rate / rate_at(before, {.core_clock = now.core_clock}) - 1;
  results.drifts.emplace_back(before.name, drift);
  if (std::abs(drift) <= drift_warning) return;
  const bool imported = results.ceilings_origin.kind == CeilingsOrigin::Kind::imported;
  // Nothing makes a machine faster than it is: the first value was disturbed. A file's value is what was asked for.
  const bool better = drift > 0 && failure.empty() && !imported && run_.options.repetitions == 1;
  results.warnings.push_back(fmt::format("{} moved by {:+.1f} % {}: {}{}", before.name, 100 * drift,
                                         imported ? "since " + results.ceilings_origin.text : "during the run",
                                         std::abs(drift) > drift_unstable
                                             ? "the machine is not quiet, take no efficiency for granted"
                                             : "expect differences of this size",
                                         better ? "; kernels are held against the better value" : ""));
  if (better) replace(now);
}

const std::vector<Ceiling>* CeilingPhase::found(const std::string& row) const {
  const auto rows = found_.find(row);
  return rows == found_.end() ? nullptr : &rows->second;
}

}  // namespace roofline
