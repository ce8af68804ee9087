// Turns the samples of all rounds into the roofline and the points.
#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/core_distance.hpp"
#include "bench/model/store_policy.hpp"
#include "bench/run/rounds.hpp"

namespace roofline {
namespace {

/// A CPU that computes faster than its type can is another one than it says, as hypervisors may have it: no theory of
/// that type is its own. Units come whole, so a wrong number of them makes more than a third; a clock some percent.
void drop_theory_of_another_cpu(std::vector<Ceiling>& ceilings) {
  constexpr double another_unit = 1.3;
  int above = 0, all = 0;
  for (const auto& c : ceilings)
    if (c.kind == Ceiling::Kind::compute && c.full_rate() && c.theory)
      ++all, above += c.rate_low > another_unit * *c.theory;
  if (all < 2 || above < all) return;
  for (auto& ceiling : ceilings) ceiling.theory.reset();
}

}  // namespace

double Rounds::usual_distance() const {
  std::vector<double> distances;
  for (const auto& row : rows_)
    for (const auto& round : row.rounds.all())
      if (round.core_distance > 0) distances.push_back(round.core_distance);
  if (distances.empty()) return 0;
  std::sort(distances.begin(), distances.end());
  // Where they lie nearest they share a cache, as a machine declares. Even if the host put them there for less than
  // half of the time, these rounds are taken where they suffice: so more runs agree.
  const double nearest = distances.front();
  const auto has_enough = [&](const KernelRow& row) {
    const auto& rounds = row.rounds.all();
    const auto near = std::count_if(rounds.begin(), rounds.end(),
                                    [&](const RowRound& round) { return lay_alike(round.core_distance, nearest); });
    return rounds.empty() || near >= rounds_of_95_percent;
  };
  return std::all_of(rows_.begin(), rows_.end(), has_enough) ? nearest : distances[distances.size() / 2];
}

void Rounds::note_moved_cores() {
  std::size_t aside = 0, all = 0;
  double elsewhere = 0;
  const double usual = run_.results.core_distance;
  for (const auto& row : rows_)
    for (const auto& round : row.rounds.all()) {
      ++all;
      if (lay_alike(round.core_distance, usual)) continue;
      ++aside;
      elsewhere = round.core_distance;
    }
  if (aside == 0) return;
  run_.results.warnings.push_back(
      fmt::format("the host moved the cores, so {:.0f} % of the rounds are set aside: a cache line took {:.0f} ns from "
                  "core to core "
                  "in these, and {:.0f} ns in the others",
                  100.0 * static_cast<double>(aside) / static_cast<double>(all), 1e9 * elsewhere, 1e9 * usual));
}

void Rounds::finish() {
  if (counted_last_) count_rows();
  auto& results = run_.results;
  results.core_distance = usual_distance();
  note_moved_cores();
  ceilings_.update_roofline(results.core_distance);
  const int threads = run_.suite.threads();
  if (run_.suite.platform() == Platform::cpu && !results.roofline.empty()) {
    if (!results.stores) results.stores = store_policy(results.roofline.ceilings(), threads);
    auto ceilings = restated(results.roofline.ceilings(), *results.stores);
    drop_theory_of_another_cpu(ceilings);
    results.roofline = Roofline(std::move(ceilings), threads);
  }
  const auto rate_in_account = [&](const std::string& name) {
    const auto* const variant = run_.suite.ceiling(name);
    for (const auto& ceiling : results.roofline.ceilings())
      if (variant && ceiling.name == name)
        return ceiling.bytes_per_explicit_byte / variant->ceiling.bytes_per_explicit_byte;
    return 1.0;
  };
  results.points.clear();
  for (auto& row : rows_) {
    if (!row.failure.empty() || !row.skipped.empty()) {
      missing_[row.name()] = row.failure.empty() ? row.skipped : row.failure;
      continue;
    }
    auto counts = row.counts.value_or(Counts());
    if (results.stores) counts = restated(std::move(counts), *results.stores);
    auto point = row.point(threads, results.core_distance);
    if (point.samples.empty()) continue;
    point.counts = std::move(counts);
    for (auto& probe : point.probes) {
      const double factor = rate_in_account(probe.ceiling);
      for (auto& rate : probe.rates) rate *= factor;
      for (auto& of_round : probe.samples)
        for (auto& rate : of_round) rate *= factor;
    }
    results.points.push_back(std::move(point));
  }
}

double Rounds::cpu_seconds(const std::string& name) const {
  for (const auto& row : rows_)
    if (row.name() == name) return row.cpu_seconds;
  return 0;
}

std::string Rounds::missing(const std::string& row) const {
  const auto found = missing_.find(row);
  return found == missing_.end() ? ceilings_.missing(row) : found->second;
}

}  // namespace roofline
