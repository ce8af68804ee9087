#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporters/comparison/comparison.hpp"

/// The parts of compare(), one per class of metrics.
namespace roofline::judging {

/// One kernel in every pair of runs; null where a side has no result for it.
struct PairedRow {
  std::string name;
  std::vector<std::pair<const KernelPoint*, const KernelPoint*>> points;
  /// Of the first run of either side that has it; null when none has.
  const KernelPoint* base() const;
  const KernelPoint* next() const;
};

/// Operations and bytes: classes E, D and C.
std::vector<Finding> judge_counts(const std::vector<SidePair>& pairs, const PairedRow& row, bool same_machine);

/// Rows that are missing or failed, and checks of the whole run: class V. Lines about new rows go to `notes`.
std::vector<Finding> judge_validity(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                    const ComparisonOptions& options, std::vector<std::string>& notes);

/// Times, and cycles where the clock is known: classes T and R, of all rows at once because Holm's correction is.
std::vector<Finding> judge_times(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                 const ComparisonOptions& options, const std::optional<std::string>& other_machine);

/// What the ceilings, which no change of a kernel can move, say about the conditions of one row in one pair of runs.
struct Control {
  std::string moved;  ///< why the pair cannot be judged: "drift of DRAM"; empty: it can
  std::string detail;
  /// Logarithm of new / base speed of the resource that the row depends on and that changed most: what a change of
  /// time in the opposite direction has to exceed.
  double slower = 0, faster = 0;
};
Control control_of(const SidePair& pair, const KernelPoint& base, const KernelPoint& next, bool interleaved);

/// Why a point's time says nothing; empty: it does. `in_turns`: what disturbed it disturbed the other side alike, and
/// ceilings of another moment are none that it could not exceed.
std::string invalid_time(const KernelPoint& point, bool in_turns = false);

/// new / base of a row in one pair of runs. Of samples that were taken in turns each is compared with its neighbour, so
/// that what changed meanwhile is in both; else the medians are.
Interval ratio_of(const KernelPoint& base, const KernelPoint& next, bool in_turns);

/// The smallest change of a row's time that counts, as a logarithm.
double floor_of(const std::string& row, const ComparisonOptions& options);

/// The core's clock of a run in Hz; 0 where it is unknown.
double clock_of(const Side& side);

}  // namespace roofline::judging
