#include "microkernels/ert/plateau.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "microkernels/working_set.hpp"

namespace roofline {
namespace {

/// Samples of a plateau: their sum and number.
struct Group {
  double sum = 0, count = 0;
  double mean() const { return sum / count; }
};

/// ERT looks only at the curve from its first maximum on: smaller sets suffer from start-up costs.
std::size_t first_maximum(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

bool lies_on(double value, double plateau, double tolerance) {
  return plateau / tolerance <= value && value <= plateau * tolerance;
}

}  // namespace

std::vector<double> find_plateaus(const BandwidthCurve& curve, const PlateauRules& rules) {
  const auto& all = curve.bandwidth;
  if (all.empty()) throw std::invalid_argument("plateau finder: the curve has no samples");
  const auto begin = first_maximum(all);
  const double maximum = all[begin];

  // How many samples agree with each of the levels 0 .. maximum.
  std::vector<Group> levels(static_cast<std::size_t>(rules.levels));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double level = static_cast<double>(i) * maximum / (rules.levels - 1);
    for (std::size_t j = begin; j < all.size(); ++j)
      if (lies_on(all[j], level, rules.tolerance)) levels[i].sum += all[j], levels[i].count += 1;
  }

  std::vector<Group> plateaus{{1000 * maximum, 1000}};
  Group best;  // the level that most samples agree with, in the present run of well-filled levels
  for (int i = rules.levels - 3; i >= 2; --i) {
    const auto& level = levels[static_cast<std::size_t>(i)];
    if (level.count > rules.minimum_count) {
      if (level.count > best.count) best = level;
      continue;
    }
    if (best.count == 0) continue;
    if (rules.merge_factor * best.mean() < plateaus.back().mean())
      plateaus.push_back(best);
    else
      plateaus.back().sum += best.sum, plateaus.back().count += best.count;
    best = {};
  }

  std::vector<double> means;
  for (const auto& plateau : plateaus) means.push_back(plateau.mean());
  return means;
}

std::vector<LevelPlateau> name_plateaus(const BandwidthCurve& curve, const std::vector<double>& plateaus,
                                        const std::vector<CacheLevel>& caches, int threads, const PlateauRules& rules) {
  std::vector<LevelPlateau> named;
  for (const double plateau : plateaus) {
    LevelPlateau found{.bandwidth = plateau};
    std::array<int, memory_levels.size()> votes{};
    for (auto j = first_maximum(curve.bandwidth); j < curve.bandwidth.size(); ++j) {
      if (!lies_on(curve.bandwidth[j], plateau, rules.tolerance)) continue;
      const double working_set = curve.working_set[j];
      if (found.smallest == 0) found.smallest = working_set;
      found.largest = working_set;
      ++votes[static_cast<std::size_t>(level_of_working_set(caches, working_set, threads))];
    }
    if (found.largest == 0) continue;
    found.level = memory_levels[static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin())];
    named.push_back(found);
  }
  return named;
}

}  // namespace roofline
