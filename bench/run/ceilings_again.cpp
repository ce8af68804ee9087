#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine/interrupt.hpp"
#include "bench/model/core_distance.hpp"
#include "bench/run/ceiling_phase.hpp"
#include "bench/run/ceiling_suspicion.hpp"
#include "bench/run/ceilings_file.hpp"

/// Ceilings that are looked at again: at once where physics says that they are too low, and at the end of a run.
namespace roofline {
namespace {

constexpr double drift_warning = 0.03, drift_unstable = 0.05;  // P9 of the physics checks
constexpr int fewest_for_an_interval = 6;                      // of the median, at 95 %

}  // namespace

/// What came of looking at all ceilings once more.
struct CeilingPhase::SecondLooks {
  std::set<std::string> names, better, moved;  ///< that were looked at, and what came of it
  std::pair<double, std::string> most{0, ""};

  std::vector<std::string> warnings() const {
    std::vector<std::string> lines;
    if (!better.empty())
      lines.push_back(fmt::format(
          "{} of {} ceilings measured again at the end were more than {:.0f} % better, up to {:+.0f} % ({}): these "
          "replace the first ones",
          better.size(), names.size(), 100 * drift_warning, 100 * most.first, most.second));
    if (!moved.empty())
      lines.push_back(
          fmt::format("{} of {} ceilings had been measured while the hypervisor had the cores elsewhere: measured "
                      "again at the end, "
                      "where they lay for most of the run, which replaces the first look",
                      moved.size(), names.size()));
    return lines;
  }
};

void CeilingPhase::look_again() {
  const double seconds = run_.options.quick ? 2 : 15;
  const TimeKeeper looking(seconds);
  std::vector<std::pair<double, std::string>> gains;
  for (int round = 0; round < 2; ++round)
    for (const auto& [name, why, least] : suspicious_ceilings(run_.results.roofline.ceilings())) {
      if (interrupted() || looking.left() <= 0 || run_.time.ceilings_are_late() || !found(name)) continue;
      const double before = found(name)->back().rate;
      const auto again = measured_again(name);
      if (!again || again->rate <= before) continue;
      replace(*again);
      run_.journal.replace(name, *again);
      if (const double gain = again->rate / before - 1; gain > drift_warning)
        gains.emplace_back(gain, fmt::format("{} was {}, measured again it is {:+.1f} % better: that replaces it", name,
                                             why, 100 * gain));
    }
  constexpr std::size_t most_lines = 3;
  std::sort(gains.rbegin(), gains.rend());
  for (std::size_t i = 0; i < std::min(most_lines, gains.size()); ++i) run_.results.warnings.push_back(gains[i].second);
  if (gains.size() > most_lines)
    run_.results.warnings.push_back(
        fmt::format("and {} more ceilings were measured again, with less of a difference", gains.size() - most_lines));
}

std::optional<Ceiling> CeilingPhase::measured_again(const std::string& name) {
  const auto* const variant = run_.suite.ceiling(name);
  if (!variant || variant->make.empty()) return std::nullopt;
  try {
    std::string failure;
    auto again = measure_ceiling(*variant, budget(), &failure, &run_.placement);
    if (failure.empty() && !interrupted()) return again;
  } catch (const std::exception&) {
    // It has been measured once, and that stands.
  }
  return std::nullopt;
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
  SecondLooks seen;
  for (const auto* const variant : ceilings) look_once_more(*variant, seen);
  // Cores that were elsewhere when a stranger's turn came may be at home a second later.
  constexpr int rounds = 2;
  for (int round = 0; round < rounds; ++round)
    for (const auto* const variant : ceilings)
      if (is_stranger(*variant)) look_once_more(*variant, seen);
  for (auto& line : seen.warnings()) run_.results.warnings.push_back(std::move(line));
}

bool CeilingPhase::is_stranger(const CeilingVariant& variant) const {
  const auto* const all = found(variant.ceiling.name);
  return all && all->back().core_distance > 0 && !run_.placement.at_home(all->back().core_distance);
}

void CeilingPhase::look_once_more(const CeilingVariant& variant, SecondLooks& seen) {
  const auto& name = variant.ceiling.name;
  const auto& drifts = run_.results.drifts;
  const bool known = std::any_of(drifts.begin(), drifts.end(), [&](const auto& d) { return d.first == name; });
  if (known || !found(name) || variant.make.empty() || variant.ceiling.sustained) return;
  if (interrupted() || run_.time.is_up()) return;
  Budget brief = budget_;
  brief.patience = 1, brief.replace_seconds = brief.max_seconds;
  if (run_.time.limited()) brief.give_up_seconds = brief.max_seconds;
  seen.names.insert(name);
  const auto before = found(name)->back();
  try {
    std::string failure;
    // Where cores lie otherwise another way may be the fastest, of strided reads by half.
    const bool choose = !run_.placement.at_home(before.core_distance) || is_strided(before.mix);
    const auto now = choose ? measure_ceiling(variant, brief, &failure, &run_.placement)
                            : measure_variant(variant, before.winner, brief, failure, &run_.placement);
    if (!failure.empty() || interrupted()) return;
    if (!may_be_same_distance(now.core_distance, before.core_distance)) {
      if (replaces_stranger(now, before)) seen.moved.insert(name);
      return;
    }
    const double gain = now.rate / before.rate - 1;
    const bool by_chance = now.samples < fewest_for_an_interval || now.rate_low <= before.rate;
    if (gain <= drift_warning || by_chance) return;
    replace(now);
    seen.most = std::max(seen.most, {gain, name}), seen.better.insert(name);
  } catch (const std::exception&) {
    // It has been measured once, and that stands.
  }
}

bool CeilingPhase::replaces_stranger(const Ceiling& now, const Ceiling& before) {
  // A file's value is what was asked for.
  if (run_.results.ceilings_origin.kind == CeilingsOrigin::Kind::imported) return false;
  const auto& place = run_.placement;
  if (!place.at_home(now.core_distance) || place.at_home(before.core_distance)) return false;
  replace(now);
  return true;
}

void CeilingPhase::compare_again(const Ceiling& before) {
  const auto* const variant = run_.suite.ceiling(before.name);
  if (!variant) return;
  auto& results = run_.results;
  std::string failure;
  Ceiling now;
  try {
    now = measure_ceiling(*variant, last_budget(), &failure, &run_.placement);
  } catch (const std::invalid_argument& error) {
    return run_.warn_once(
        fmt::format("{} cannot be measured again, its drift was not checked: {}", before.name, error.what()));
  }
  if (interrupted()) return;
  if (!failure.empty()) results.failures.emplace_back(before.name, failure);
  if (failure.empty() && !may_be_same_distance(now.core_distance, before.core_distance)) {
    const bool replaced = replaces_stranger(now, before);
    return run_.warn_once(fmt::format(
        "{}: the hypervisor had moved the cores when it was measured again: {}", before.name,
        replaced ? "that look replaces the first, as they lay so for most of the run" : "its drift was not checked"));
  }
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

}  // namespace roofline
