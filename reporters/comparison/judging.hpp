#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/model/statistics.hpp"
#include "reporters/comparison/comparison.hpp"

/// The parts of compare(), one per class of metrics.
namespace roofline::judging {

/// One kernel in every pair of runs; null where a side has no result for it.
struct PairedRow {
  std::string name;
  std::vector<std::pair<const KernelPoint*, const KernelPoint*>> points;
  /// The value in the first run of either side that has it; null if none has.
  const KernelPoint* base() const;
  const KernelPoint* next() const;
};

/// Operations and bytes: classes E, D and C.
std::vector<Finding> judge_counts(const std::vector<SidePair>& pairs, const PairedRow& row, bool same_machine);

/// Rows that are missing or failed, and checks of the whole run: class V. Lines about new rows go to `notes`.
std::vector<Finding> judge_validity(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                    const ComparisonOptions& options, std::vector<std::string>& notes);

/// Times: class T, of all rows at once because Holm's correction is.
std::vector<Finding> judge_times(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                 const ComparisonOptions& options, const std::optional<std::string>& other_machine);

/// The logarithm of a launch's seconds in each round of two runs that are compared.
struct RelativeRounds {
  /// Rounds whose cores lay alike are a stratum; empty: none did. Where a run does not know how they lay, or the place
  /// is not asked, the rounds that count are compared.
  std::vector<TwoSamples> strata;
  bool beside_roofs = false;  ///< in units of the time that the roofs of the round need for the base's counts

  /// The number of the side that has fewer, over all strata.
  int rounds_a_side() const;
  /// Whether a time is judged: least_rounds_judged a side, or as many pairs of rounds as these have.
  bool are_enough() const;
  /// The median of the differences within the strata.
  double shift() const;
};
enum class Places { alike, any };
RelativeRounds relative_rounds(const Side& of_base, const KernelPoint& base, const Side& of_next,
                               const KernelPoint& next, Places places = Places::alike);
/// The same of the times as they are.
RelativeRounds rounds_as_timed(const Side& of_base, const KernelPoint& base, const Side& of_next,
                               const KernelPoint& next, Places places = Places::alike);

/// Why a point's time says nothing; none: it does.
Cause invalid_time(const KernelPoint& point);

/// The core's clock of a run in Hz; 0 where it is unknown.
double clock_of(const Side& side);

}  // namespace roofline::judging
