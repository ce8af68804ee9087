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

/// A finding in one line: "WORSE time of stream/triad: +7.2 % (+6.8 .. +7.5 %)".
std::string in_one_line(const Finding& finding);

/// Times as measured, the ratio beside the roofs with its range, and the verdict: the worst first, at most `most` rows,
/// the rest counted in a note.
Table times_table(const Comparison& comparison, std::size_t most = 1000);
/// The factors of the times that are WORSE or BETTER.
Table factors_table(const Comparison& comparison, std::size_t most = 1000);
/// Changes other than times.
Table changes_table(const Comparison& comparison, std::size_t most = 1000);
/// Why rows stayed undecided, and the commands that would decide them.
std::vector<std::string> suggestion_lines(const Comparison& comparison);

/// All of it for a terminal, within `width` columns but for commands to paste.
std::string comparison_text(const Comparison& comparison, std::size_t width);
/// For a comment of a pull request: at most 20 rows of each table, names escaped, below 60,000 bytes.
std::string comparison_markdown(const Comparison& comparison);

/// Whether more runs could decide: a time that is UNDECIDED, or INVALID because the runs at hand were disturbed.
bool is_open(const Finding& finding);
/// How many are.
int open_rows(const Comparison& comparison);

/// The causes for which rows stayed open, with the command that would decide them and the time it takes, from
/// what the runs at hand took. Stored runs do not say where their programs are: the command has BASE and NEW in place
/// of the folders.
std::vector<Suggestion> suggestions(const Comparison& comparison, const std::vector<SidePair>& pairs);

/// Pairs of runs until the range of a row would lie on one side of the floor.
int pairs_needed(const Finding& finding);

/// A file that a comparison can be written as.
struct ComparisonOutput {
  std::string flag, about;
  std::string (*text)(const Comparison& comparison, const Gate& gate);
};

/// markdown, junit, annotations, json.
const std::vector<ComparisonOutput>& comparison_outputs();

/// Version of the verdict as JSON, its field `schema`.
inline constexpr int verdict_schema = 4;

/// The verdict with every finding, factor and suggestion, as JSON. verdict_json_schema() describes it.
std::string verdict_json(const Comparison& comparison, const Gate& gate);
/// A JSON schema (2020-12) of verdict_json().
std::string verdict_json_schema();

/// JUnit XML (Windy Road's schema): one suite per class of metrics, one case per metric of a row. WORSE and INVALID
/// fail; NOT_COMPARABLE, UNDECIDED and what the gate leaves out are skipped.
std::string junit_xml(const Comparison& comparison, const Gate& gate);

/// GitHub's workflow commands: at most 10 of each kind, the last of which says how many more there are. Changes outside
/// of the gate are notices.
std::string github_annotations(const Comparison& comparison, const Gate& gate);

}  // namespace roofline
