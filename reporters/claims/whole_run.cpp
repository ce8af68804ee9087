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

std::optional<double> rank_correlation(const Results& run) {
  std::vector<double> intensity, rate;
  for (const auto& point : run.points)
    if (const auto ai = point.counts.intensity(MemoryLevel::DRAM); ai && point.time.median > 0 && *ai > 0)
      intensity.push_back(*ai), rate.push_back(point.flop_rate());
  if (intensity.size() < 3) return std::nullopt;
  return correlation(ranks(intensity), ranks(rate));
}

double misleading_pairs(const Results& run) {
  double pairs = 0;
  for (const auto& a : run.points)
    for (const auto& b : run.points)
      if (a.assessment.roof && b.assessment.roof && a.counts.operations.flops() > 0)
        pairs += a.flop_rate() < b.flop_rate() && a.assessment.roof->efficiency > b.assessment.roof->efficiency + 0.10;
  return pairs;
}

std::optional<double> verified(const Results& run, const std::string& pattern) {
  for (const auto& [row, why] : run.failures)
    if (fits_row(pattern, row)) return 0.0;
  for (const auto& point : run.points)
    if (fits_row(pattern, point.name)) return point.is_bound() ? std::nullopt : std::optional(1.0);
  return std::nullopt;
}

std::optional<Fact> fact(const std::optional<double>& number, const std::string& origin) {
  if (!number) return std::nullopt;
  return Fact{*number, origin};
}

}  // namespace

std::optional<Fact> of_whole_run(const Results& run, const std::string& kind, const std::string& subject) {
  if (kind == "pairs") return Fact{misleading_pairs(run), "measured"};
  if (kind == "rank") return fact(rank_correlation(run), run.model ? "modelled" : "measured");
  if (kind == "verified") return fact(verified(run, subject), "verified");
  if (kind != "spread") return std::nullopt;
  std::optional<double> largest;
  for (const auto& ceiling : run.roofline.ceilings())
    if (ceiling.rate_low > 0 && ceiling.full_rate() && !ceiling.external)
      largest = std::max(largest.value_or(0), 1 - ceiling.rate_low / ceiling.rate_high);
  return fact(largest, "measured");
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
