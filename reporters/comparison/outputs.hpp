#pragma once
#include <string>
#include <vector>

#include "reporters/comparison/comparison.hpp"

namespace roofline {

/// A file that a comparison can be written as.
struct ComparisonOutput {
  std::string flag, about;
  /// Pure, but for the history, which begins with what `earlier` (a path, or empty) holds.
  std::string (*text)(const Comparison& comparison, const Gate& gate, const std::string& earlier);
  bool appends = false;
};

/// markdown, junit, annotations, bencher, github-benchmark, json, history, svg.
const std::vector<ComparisonOutput>& comparison_outputs();

/// Version of the verdict as JSON, its field `schema`.
inline constexpr int verdict_schema = 3;

/// The verdict with every finding, factor and suggestion, as JSON. verdict_json_schema() describes it.
std::string verdict_json(const Comparison& comparison, const Gate& gate);
/// A JSON schema (2020-12) of verdict_json().
std::string verdict_json_schema();

/// JUnit XML (Windy Road's schema): one suite per class of metrics, one case per metric of a row. WORSE and INVALID
/// fail; NOT_COMPARABLE, INCONCLUSIVE and what the gate leaves out are skipped.
std::string junit_xml(const Comparison& comparison, const Gate& gate);

/// GitHub's workflow commands: at most 10 of each kind, the last of which says how many more there are. What the gate
/// leaves out is a notice.
std::string github_annotations(const Comparison& comparison, const Gate& gate);

/// Bencher Metric Format: {row: {"latency": {value, lower_value, upper_value}, ...}} in nanoseconds and counts.
std::string bencher_json(const Comparison& comparison);

/// What github-action-benchmark reads with tool: customSmallerIsBetter.
std::string github_benchmark_json(const Comparison& comparison);

/// One line per row of the new side, below the lines that `earlier` holds: time, FLOPs and bytes against a timestamp,
/// as Apache Otava's CSV importer reads them. Throws FileError when `earlier` has other columns.
std::string history_csv(const Comparison& comparison, const std::string& earlier);

/// The roofline of the base with an arrow from each kernel's old place to its new one.
std::string arrows_svg(const Comparison& comparison);

}  // namespace roofline
