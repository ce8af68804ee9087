#include "tests/validation/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofline {
namespace {

/// Integers with their digits in groups, others with four digits.
std::string show(double x) {
  if (x != std::floor(x) || std::abs(x) < 1000) return fmt::format("{:.4g}", x);
  std::string digits = fmt::format("{:.0f}", x);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

}  // namespace

double ComparisonRow::error() const {
  if (modelled.contains(published) || published == 0) return 0;
  return (published < modelled.low ? modelled.low : modelled.high) / published - 1;
}

std::string markdown(const std::string& caption, const std::vector<ComparisonRow>& rows) {
  std::string text = fmt::format("**{}**\n\n| quantity | published | modelled | error | reason |\n", caption);
  text += "|---|---:|---:|---:|---|\n";
  for (const auto& row : rows) {
    const bool exact = row.modelled.low == row.modelled.high;
    const auto modelled = exact ? show(row.modelled.low) : show(row.modelled.low) + " .. " + show(row.modelled.high);
    const auto error = row.error() != 0 ? fmt::format("{:+.1f} %", 100 * row.error()) : exact ? "exact" : "inside";
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.quantity, show(row.published), modelled, error, row.reason);
  }
  return text;
}

}  // namespace roofline
