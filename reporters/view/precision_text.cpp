#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"

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

/// "+-1.8 %", from ten on "+-12 %", and "> 100 %": beyond the share itself a number says nothing more.
std::string plus_minus(double fraction) {
  return fraction > 1 ? "> 100 %" : fmt::format("+-{} %", significant(100 * fraction, 2));
}

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

std::string precision_text(const Results& results, std::size_t width) {
  const auto& precision = results.precision;
  if (precision.rows == 0) return {};
  const auto text = fmt::format("Shares hold to {} (", plus_minus(precision.median));
  const auto rounds = fmt::format("{} rounds).", fewest_rounds(results));
  if (precision.rows == 1) return text + rounds;
  const auto rows = fmt::format("{}median; {} of {} rows to {:.0f} %; ", text, precision.resolved, precision.rows,
                                100 * Judgement::resolved_half_width);
  for (const auto& name : {precision.worst_row, kernel_of(precision.worst_row)})
    if (auto line = fmt::format("{}worst: {} {}; {}", rows, name, plus_minus(precision.worst), rounds);
        line.size() <= width)
      return line;
  return rows + rounds;
}

std::string origin_text(const std::string& file, const Results& run) {
  const auto& precision = run.precision;
  if (precision.rows == 0) return fmt::format("of {} (it does not say how precise it is)", file);
  return fmt::format("of {} ({} rounds, {} of {} rows to {:.0f} %)", file, fewest_rounds(run), precision.resolved,
                     precision.rows, 100 * Judgement::resolved_half_width);
}

}  // namespace roofline
