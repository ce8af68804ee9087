#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/families.hpp"

namespace roofline {
namespace {

std::optional<double> efficiency(const std::optional<Judgement>& judgement) {
  return judgement ? std::optional(judgement->efficiency) : std::nullopt;
}

std::vector<std::string> cells(const KernelPoint& point) {
  const auto& assessment = point.assessment;
  const auto level = reported_level(point, assessment);
  const auto bytes_rate = level ? bandwidth(point, *level) : std::nullopt;
  std::vector<std::string> row{duration(point.known_seconds()), significant(giga(point.flop_rate())),
                               bytes_rate ? significant(giga(*bytes_rate)) : std::string(absent)};
  for (const auto l : memory_levels) row.push_back(significant(point.counts.intensity(l)));
  const auto bound = what_bounds(assessment);
  row.push_back(bound.empty() ? std::string(absent) : bound);
  row.push_back(percent(efficiency(assessment.roof)));
  row.push_back(interval_text(assessment.roof));
  row.push_back(percent(efficiency(assessment.mix)));
  row.push_back(contradicts(point) ? "!" : "");
  return row;
}

/// ", 2 threads" when all points ran with as many.
std::string common_threads(const std::vector<KernelPoint>& points) {
  const auto other = [&](const KernelPoint& point) { return point.threads != points.front().threads; };
  if (points.empty() || std::any_of(points.begin(), points.end(), other)) return {};
  return ", " + threads_text(points.front().threads);
}

/// A block of remarks, one wrapped line each.
Table block(const std::string& title, std::vector<std::string> lines) { return {title, {}, {}, std::move(lines)}; }

}  // namespace

Table kernel_table(const Results& results) {
  if (results.model) return modelled_table(results);
  Table table{"Kernels" + (results.gpu ? std::string() : common_threads(results.points)),
              table_columns("<kernel|time|GFLOP/s|GB/s|AI L1|L2|L3|DRAM|<bound|% roof|interval|% mix|<")};
  add_by_family(table, results.points, cells);
  if (table.rows.empty()) return table;
  if (std::any_of(results.points.begin(), results.points.end(), contradicts))
    table.notes.push_back(std::string("! ") + above_roof_causes);
  table.notes.emplace_back(
      "time: median of a launch. GB/s: at the level that bounds; where compute does, at the farthest level that has "
      "bytes. AI: FLOP/B");
  table.notes.emplace_back(
      "% roof: share of min(compute ceiling of the build, AI x best bandwidth of each level). % mix: share of the "
      "ceilings of the kernel's own mixes of instructions and accesses");
  table.notes.emplace_back(
      "bound: the bound of % roof, or of % mix if that is unpaired lines, gathers, split loads, divisions, fork-join "
      "or the front end; core if a launch is as slow with its data in the core's caches");
  if (const auto line = rounds_text(results); !line.empty()) table.notes.push_back("interval: " + line);
  if (const auto line = precision_text(results); !line.empty()) table.notes.push_back(line);
  if (const auto line = moved_roofs_text(results); !line.empty()) table.notes.push_back(line);
  if (results.roofline.empty())
    table.notes.push_back("no efficiencies: this run has no ceilings");
  else if (std::any_of(results.points.begin(), results.points.end(),
                       [&](const KernelPoint& point) { return point.threads != results.roofline.threads(); }))
    table.notes.push_back(
        fmt::format("efficiencies only for {} threads, the ceilings' thread count", results.roofline.threads()));
  for (auto& line : source_lines(results)) table.notes.push_back(std::move(line));
  return table;
}

std::vector<Table> remarks(const Results& results) {
  std::vector<Table> blocks;
  if (results.interrupted) blocks.push_back(block("Interrupted", {"this run was interrupted and is incomplete"}));
  if (!results.failures.empty()) {
    std::vector<std::string> lines;
    for (const auto& [row, reason] : results.failures) lines.push_back(row + ": " + reason);
    blocks.push_back(block("No result", std::move(lines)));
  }
  if (!results.warnings.empty()) blocks.push_back(block("Warnings", results.warnings));
  if (!results.skipped.empty()) blocks.push_back(block("Skipped in this run", results.skipped));
  return blocks;
}

}  // namespace roofline
