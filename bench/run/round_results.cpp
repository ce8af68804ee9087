// Turns the samples of all rounds into the roofline and the points.
#include <algorithm>

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

void Rounds::finish() {
  if (counted_last_) count_rows();
  ceilings_.update_roofline();
  auto& results = run_.results;
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
    auto point = row.point(threads);
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
