#include "reporters/precision_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

/// Of the points whose share has an interval; 0 where none has.
int fewest_rounds(const Results& results) {
  int fewest = 0;
  for (const auto& point : results.points)
    if (const auto& roof = point.assessment.roof; roof && roof->range)
      fewest = fewest == 0 ? point.rounds() : std::min(fewest, point.rounds());
  return fewest;
}

/// "1.8", and from ten on "12".
std::string short_percents(double fraction) { return significant(100 * fraction, 2); }

}  // namespace

std::string half_width_text(const std::optional<Judgement>& judgement) {
  if (!judgement || !judgement->range) return std::string(absent);
  return fmt::format("{:.1f}", 50 * (judgement->range->high - judgement->range->low));
}

bool contradicts(const KernelPoint& point) { return !point.is_bound() && above_roof(point.assessment); }

std::string rounds_text(const Results& results) {
  const int rounds = fewest_rounds(results);
  if (rounds == 0) return {};
  return fmt::format("half of the {} of the share over {} rounds, in points",
                     rounds >= rounds_of_95_percent ? "95 % interval" : "range", rounds);
}

std::string precision_text(const Results& results) {
  const auto& precision = results.precision;
  if (precision.rows == 0) return {};
  auto text =
      fmt::format("Shares hold to +-{} % over {} rounds", short_percents(precision.median), fewest_rounds(results));
  if (precision.rows == 1) return text + ".";
  return text + fmt::format(" (median of {} rows; {} resolved to {:.0f} %; worst: {} +-{} %).", precision.rows,
                            precision.resolved, 100 * Judgement::resolved_half_width, precision.worst_row,
                            short_percents(precision.worst));
}

}  // namespace roofline
