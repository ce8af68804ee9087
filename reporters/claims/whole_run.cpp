#include <algorithm>

#include "reporters/claims/facts.hpp"
#include "reporters/files/files.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline::claims {
namespace {

/// Ranks from 0; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    double below = 0, equal = 0;
    for (const double other : values) below += other < value, equal += other == value;
    ranks.push_back(below + (equal - 1) / 2);
  }
  return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) mean_a += a[i] / n, mean_b += b[i] / n;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a), bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

std::optional<Value> rank_correlation(const Results& run) {
  std::vector<double> intensity, rate;
  for (const auto& point : run.points)
    if (const auto ai = point.counts.intensity(MemoryLevel::DRAM); ai && point.time.median > 0 && *ai > 0)
      intensity.push_back(*ai), rate.push_back(point.flop_rate());
  if (intensity.size() < 4) return std::nullopt;
  const double r = std::clamp(correlation(ranks(intensity), ranks(rate)), -0.999, 0.999);
  // Fisher's z; for ranks its variance is 1.06 / (n - 3) (Fieller, Hartley and Pearson, Biometrika 1957).
  const double z = std::atanh(r), half = 1.96 * std::sqrt(1.06 / (static_cast<double>(intensity.size()) - 3));
  return Value(r, std::tanh(z - half), std::tanh(z + half));
}

Value misleading_pairs(const Results& run) {
  constexpr double by = 0.10;
  double pairs = 0, sure = 0;
  for (const auto& a : run.points)
    for (const auto& b : run.points) {
      const auto &roof_a = a.assessment.roof, &roof_b = b.assessment.roof;
      if (!roof_a || !roof_b || a.counts.operations.flops() == 0) continue;
      pairs += a.flop_rate() < b.flop_rate() && roof_a->efficiency > roof_b->efficiency + by;
      const auto slowest_b = static_cast<double>(b.counts.operations.flops()) / b.time.high;
      const auto fastest_a = static_cast<double>(a.counts.operations.flops()) / a.time.low;
      sure += fastest_a < slowest_b && roof_a->range && roof_b->range && roof_a->range->low > roof_b->range->high + by;
    }
  return Value(pairs, sure, pairs);
}

/// 1 - lowest / highest of the rounds of each unit's ceilings: the median and the range over the ceilings.
std::optional<Value> spread_of_ceilings(const Results& run) {
  std::vector<double> spreads;
  for (const auto& ceiling : run.roofline.ceilings())
    if (ceiling.rate_low > 0 && ceiling.full_rate() && !ceiling.external)
      spreads.push_back(1 - ceiling.rate_low / ceiling.rate_high);
  if (spreads.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(spreads.begin(), spreads.end());
  return Value(median(spreads), *low, *high);
}

std::optional<double> verified(const Results& run, const std::string& pattern) {
  for (const auto& [row, why] : run.failures)
    if (fits_row(pattern, row)) return 0.0;
  for (const auto& point : run.points)
    if (fits_row(pattern, point.name)) return point.is_bound() ? std::nullopt : std::optional(1.0);
  return std::nullopt;
}

template <class Number>
std::optional<Fact> fact(const std::optional<Number>& number, const std::string& origin) {
  if (!number) return std::nullopt;
  return Fact{*number, origin};
}

}  // namespace

std::optional<Fact> of_whole_run(const Results& run, const std::string& kind, const std::string& subject) {
  if (kind == "pairs") return Fact{misleading_pairs(run), "measured"};
  if (kind == "rank") return fact(rank_correlation(run), run.model ? "modelled" : "measured");
  if (kind == "verified") return fact(verified(run, subject), "verified");
  return kind == "spread" ? fact(spread_of_ceilings(run), "measured") : std::nullopt;
}

std::optional<Fact> of_round_trip(const Results& run, const std::string& kind, const std::string& subject) {
  const bool txt = kind == "data_txt";
  const auto read = txt ? parse_data_txt(data_txt(run), "data.txt") : parse_ert_json(ert_json(run), "roofline.json");
  const auto origin = txt ? "written to data.txt and read" : "written to roofline.json and read";
  const auto sign = subject.find(" @");
  if (sign != std::string::npos) {
    const auto level = level_of(subject.substr(sign + 2));
    for (const auto& point : read.points)
      if (level && point.name == subject.substr(0, sign))
        if (const auto ai = point.counts.intensity(*level)) return Fact{*ai, origin};
    return std::nullopt;
  }
  // ERT's levels are ordinal: L1 is the nearest.
  const Ceiling* found = nullptr;
  if (const auto operation = operation_of(subject)) {
    found = read.roofline.compute(*operation);
  } else if (const auto level = level_of(subject)) {
    found = read.roofline.bandwidth(*level);
  }
  if (!found) return std::nullopt;
  return Fact{found->rate, origin};
}

}  // namespace roofline::claims
