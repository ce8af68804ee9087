#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace roofline {

/// The verdict on one metric of one row.
enum class Verdict { same, better, worse, undecided, not_comparable, invalid };
constexpr std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 6> names{"SAME", "BETTER", "WORSE", "UNDECIDED", "NOT_COMPARABLE", "INVALID"};
  return names[static_cast<std::size_t>(verdict)];
}

/// Everything that a ratio new / base may be, as printed: whole tenths of a percent, rounded outwards.
struct Range {
  double low = 1, high = 1;
  friend bool operator==(const Range&, const Range&) = default;
};
/// Rounds an interval of a ratio.
Range outwards(double low, double high);

/// The verdict of a ratio of times. Nothing else decides one: a change counts only if the whole range lies beyond the
/// floor (relative: 0.05), and times are the same only if the whole range lies within it.
constexpr Verdict verdict_of(const Range& ratio, double floor) {
  constexpr double of_printed = 1e-9;  // half a unit in the last place of 1.05 decides nothing
  const double least = 1 - floor, most = 1 + floor;
  if (ratio.low > most + of_printed) return Verdict::worse;
  if (ratio.high < least - of_printed) return Verdict::better;
  const bool within = ratio.low >= least - of_printed && ratio.high <= most + of_printed;
  return within ? Verdict::same : Verdict::undecided;
}

}  // namespace roofline
