#include "bench/result/flop_convention.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/model/assessment.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

constexpr unsigned most_per_division = 1000;

/// Divisions as what expands them.
Operations expanded(Operations operations, std::uint64_t flops_of_divisions) {
  operations.div = 0;
  operations.fma += flops_of_divisions / 2;
  operations.mul += flops_of_divisions % 2;
  return operations;
}

/// FLOPs that counters of the hardware saw in a launch; absent where nobody counted.
std::optional<double> counted_flops(const Counts& counts) {
  for (const auto& pair : counts.counted)
    if (pair.quantity == "flops_" + counts.precision || pair.quantity == "flops") return pair.measured;
  return std::nullopt;
}

/// The operations that replaced a row's divisions; absent if not known.
std::optional<Operations> as_executed(const Counts& counts) {
  if (counts.executed) return counts.executed;
  if (counts.operations_source == Source::hardware) return counts.operations;
  const auto counted = counted_flops(counts);
  if (!counted || !counts.kinds_known) return std::nullopt;
  auto others = counts.operations;
  others.div = 0;
  const double divisions = *counted - static_cast<double>(others.flops());
  if (divisions < 0) return std::nullopt;
  // A processor with an instruction for it counts one for each, and its divider bounds it as before.
  if (std::llround(divisions) <= static_cast<long long>(counts.operations.div)) return counts.operations;
  return expanded(counts.operations, static_cast<std::uint64_t>(std::llround(divisions)));
}

std::string in_words(const FlopConvention& account) {
  if (account.kind == FlopConvention::Kind::measured)
    return "empirical account: a division counts as the operations counted for it";
  return fmt::format("empirical account: FMA = 2, division = {}", account.per_division);
}

/// A point by another account; false where nothing says what became of its divisions.
bool convert(KernelPoint& point, const FlopConvention& account) {
  auto& counts = point.counts;
  if (!counts.kinds_known) return counts.operations.flops() == 0;
  const bool fixed = account.kind == FlopConvention::Kind::fixed;
  if (fixed && counts.operations.div > 0)
    counts.operations = expanded(counts.operations, counts.operations.div * account.per_division);
  else if (counts.operations.div > 0) {
    const auto executed = as_executed(counts);
    if (!executed) return false;
    counts.operations = *executed;
  }
  counts.account = fixed ? FlopAccount::expanded : FlopAccount::counted;
  return true;
}

}  // namespace

FlopConvention parse_flop_convention(const std::string& text) {
  if (text == "measured") return {FlopConvention::Kind::measured, 1};
  const auto k = as_number<unsigned>(text).value_or(0);
  if (k < 1 || k > most_per_division)
    throw std::invalid_argument(fmt::format("--division-flops={}: FLOPs of a division, 1 to {}, or measured",
                                            text.substr(0, 40), most_per_division));
  return {k == 1 ? FlopConvention::Kind::canonical : FlopConvention::Kind::fixed, k};
}

Results by_account(Results results, const FlopConvention& account) {
  if (account.kind == FlopConvention::Kind::canonical) return results;
  std::size_t unknown = 0;
  for (auto& point : results.points) {
    if (point.counts.account != FlopAccount::canonical) continue;
    if (!convert(point, account)) ++unknown;
    point.assessment = assess(results.roofline, point);
  }
  results.flop_convention = in_words(account);
  if (unknown > 0)
    results.warnings.push_back(
        fmt::format("{} rows keep the canonical account, a division as one FLOP, because the run does not say how "
                    "their divisions were executed",
                    unknown));
  return results;
}

}  // namespace roofline
