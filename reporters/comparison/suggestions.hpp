#pragma once
#include <vector>

#include "reporters/comparison/comparison.hpp"

namespace roofline {

/// Whether more runs could decide: a time that is INCONCLUSIVE, or INVALID because the runs at hand were disturbed.
bool is_open(const Finding& finding);

/// The causes for which rows stayed open, with the command that would decide them and the time it takes, from
/// what the runs at hand took. Stored runs do not say where their programs are: the command has BASE and NEW in place
/// of the folders.
std::vector<Suggestion> suggestions(const Comparison& comparison, const std::vector<SidePair>& pairs);

/// Pairs of runs that a row would need: for a test among `rows` rows, and for an interval as narrow as the floor.
int pairs_needed(const Finding& finding, const ComparisonOptions& options, int rows);

}  // namespace roofline
