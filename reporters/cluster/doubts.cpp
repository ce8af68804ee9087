#include "reporters/cluster/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/text/format.hpp"

namespace roofline::cluster {
namespace {

/// A node at half of the others' speed must be told.
constexpr double most_told_from = 0.5;

/// A run with one row of this many, and no part as a whole, is too small a sample.
constexpr std::ptrdiff_t fewest_rows = 4;

}  // namespace

std::string why_disturbed(const Fleet::Run& run, const Limits& limits) {
  if (!run.disturbed.empty()) return run.disturbed;
  if (std::max(run.steal, run.throttled) < limits.floor) return {};
  if (run.steal >= run.throttled) return fmt::format("the hypervisor took {} % of its time", percent(run.steal));
  return fmt::format("a CPU quota stopped it in {} % of its periods", percent(run.throttled));
}

std::ptrdiff_t measured_rows(const Deviations& run) {
  return std::count_if(run.rows.begin(), run.rows.end(), [](double x) { return !std::isnan(x); });
}

std::string why_not_comparable(const std::array<std::optional<double>, all_parts.size()>& told_from,
                               const Deviations& run, std::ptrdiff_t rows) {
  for (const auto part : all_parts)
    if (const auto& from = told_from[index(part)]; from && !(*from <= most_told_from))
      return fmt::format("equal nodes differ so much in {} that half the speed would not be told", name(part));
  const auto measured = measured_rows(run);
  if (measured == 0) return "no other nodes have its rows";
  const bool has_a_part = std::any_of(run.parts.begin(), run.parts.end(), [](double x) { return !std::isnan(x); });
  if (has_a_part || fewest_rows * measured >= rows) return {};
  return fmt::format("it has {} of the {} rows of the others", measured, rows);
}

}  // namespace roofline::cluster
