#pragma once
#include <map>
#include <string>
#include <vector>

#include "reporters/comparison/comparison.hpp"

namespace roofline {

/// A comparison that is looked at again and again while runs are added, without more false verdicts than one look has:
/// look k of the sequence may spend alpha / (k (k + 1)), and the last one, after which no run is added, what the others
/// left: alpha together. What a look has decided stays decided where a later one is INCONCLUSIVE and points the same
/// way.
class SequentialComparison {
 public:
  explicit SequentialComparison(ComparisonOptions options) : options_(std::move(options)) {}

  /// One more pair; `control` is a run of a second build of the base, or null.
  void add(SidePair pair, const Side* control = nullptr);
  /// The verdicts so far. Each call spends a part of alpha, the `last` one all that is left. The options of the result
  /// have the whole alpha.
  Comparison look(bool last = false);

  int pairs() const { return static_cast<int>(pairs_.size()); }
  /// Whether another look can tell something: after 4 pairs, and then every second one.
  bool is_time_to_look() const { return pairs() >= 4 && pairs() % 2 == 0; }

 private:
  void raise_floors(ComparisonOptions& options) const;

  ComparisonOptions options_;
  std::vector<SidePair> pairs_;
  std::map<std::string, std::vector<double>> control_;  ///< logarithms of control / base, by row
  std::map<std::string, Verdict> decided_;
  int looks_ = 0;
};

/// The part of alpha that look 1, 2, ... spends.
double share_of_look(int look, bool last);

/// Rows whose time more runs could decide.
int open_rows(const Comparison& comparison);

}  // namespace roofline
