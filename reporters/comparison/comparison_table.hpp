#pragma once
#include <string>
#include <vector>

#include "bench/text/table.hpp"
#include "reporters/comparison/comparison.hpp"

namespace roofline {

/// The first line of every report: "2 WORSE, 1 BETTER, 130 SAME (133 metrics, 6 pairs of runs)".
std::string headline(const Comparison& comparison);

/// Findings that are not SAME and stand on their own, the worst first; informational ones and those of times that have
/// the same reason (another machine) left out.
std::vector<const Finding*> noteworthy(const Comparison& comparison);

/// A finding in one line: "WORSE time of stream/triad: +5.2 % (+4.8 .. +5.5)".
std::string in_one_line(const Finding& finding);

/// Times with their four factors, the worst first, at most `most` rows, the rest counted in a note.
Table times_table(const Comparison& comparison, std::size_t most = 1000);
/// What changed next to the times.
Table changes_table(const Comparison& comparison, std::size_t most = 1000);
/// Why rows stayed undecided, and the commands that would decide them.
std::vector<std::string> suggestion_lines(const Comparison& comparison);

/// All of it for a terminal, within `width` columns but for commands to paste.
std::string comparison_text(const Comparison& comparison, std::size_t width);
/// For a comment of a pull request: at most 20 rows of each table, names escaped, below 60,000 bytes.
std::string comparison_markdown(const Comparison& comparison);

/// Whether more runs could decide: a time that is INCONCLUSIVE, or INVALID because the runs at hand were disturbed.
bool is_open(const Finding& finding);

/// The causes for which rows stayed open, with the command that would decide them and the time it takes, from
/// what the runs at hand took. Stored runs do not say where their programs are: the command has BASE and NEW in place
/// of the folders.
std::vector<Suggestion> suggestions(const Comparison& comparison, const std::vector<SidePair>& pairs);

/// Pairs of runs that a row would need: for a test among `rows` rows, and for an interval as narrow as the floor.
int pairs_needed(const Finding& finding, const ComparisonOptions& options, int rows);

}  // namespace roofline
