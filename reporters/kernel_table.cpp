#include "reporters/kernel_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/modelled_table.hpp"
#include "reporters/point_names.hpp"
#include "reporters/precision_text.hpp"

namespace roofline {
namespace {

std::optional<double> efficiency(const std::optional<Judgement>& judgement) {
  return judgement ? std::optional(judgement->efficiency) : std::nullopt;
}

std::vector<std::string> cells(const Member& member) {
  const KernelPoint& point = *member.point;
  const auto& assessment = point.assessment;
  const auto level = reported_level(point, assessment);
  const auto bytes_rate = level ? bandwidth(point, *level) : std::nullopt;
  std::vector<std::string> row{"  " + member.label, duration(point.time.median), significant(giga(point.flop_rate())),
                               bytes_rate ? significant(giga(*bytes_rate)) : std::string(absent)};
  for (const auto l : memory_levels) row.push_back(significant(point.counts.intensity(l)));
  const auto bound = what_bounds(assessment);
  row.push_back(bound.empty() ? std::string(absent) : bound);
  row.push_back(percent(efficiency(assessment.roof)));
  row.push_back(half_width_text(assessment.roof));
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

/// What all notes begin with, up to a comma: the model. Notes without such a part are listed, three at most.
std::string common_note(const std::vector<std::string>& notes) {
  const std::string& first = notes.front();
  std::size_t same = first.size();
  for (const auto& note : notes)
    same = std::min<std::size_t>(
        same, std::mismatch(first.begin(), first.end(), note.begin(), note.end()).first - first.begin());
  const auto ends_there = [&](const std::string& note) { return same == note.size() || note[same] == ','; };
  if (!std::all_of(notes.begin(), notes.end(), ends_there)) {
    const auto comma = first.substr(0, same).rfind(',');
    same = comma == first.npos ? 0 : comma;
  }
  if (same > 0) return first.substr(0, same);
  constexpr std::size_t shown = 3;
  const std::vector<std::string> some(notes.begin(), notes.begin() + std::min(shown, notes.size()));
  return fmt::format("{}{}", fmt::join(some, "; "), notes.size() > shown ? "; ..." : "");
}

}  // namespace

Table kernel_table(const Results& results) {
  if (results.model) return modelled_table(results);
  Table table{"Kernels" + (results.gpu ? std::string() : common_threads(results.points)),
              {{"kernel", false},
               {"time"},
               {"GFLOP/s"},
               {"GB/s"},
               {"AI L1"},
               {"L2"},
               {"L3"},
               {"DRAM"},
               {"bound", false},
               {"% roof"},
               {"+-"},
               {"% mix"},
               {"", false}},
              {},
              {}};
  for (const auto& group : group_by_family(results.points)) {
    table.rows.push_back({{group.heading}});
    for (const auto& member : group.members) table.rows.push_back({cells(member)});
  }
  if (table.rows.empty()) return table;
  if (std::any_of(results.points.begin(), results.points.end(), contradicts))
    table.notes.push_back(std::string("! ") + above_roof_causes);
  table.notes.emplace_back(
      "time: median of a launch. GB/s: at the level that bounds, or DRAM where compute does. AI: FLOP/B");
  table.notes.emplace_back(
      "% roof: share of min(compute ceiling of the build, AI x best bandwidth of each level). % mix: share of the "
      "ceilings of the kernel's own mixes of instructions and accesses");
  table.notes.emplace_back(
      "bound: of % roof, or of % mix where that is unpaired lines, gathers, split loads, fork-join or the front end; "
      "core where a launch is as slow with its data in the core's caches");
  if (const auto line = rounds_text(results); !line.empty()) table.notes.push_back("+-: " + line);
  if (const auto line = precision_text(results); !line.empty()) table.notes.push_back(line);
  if (results.roofline.empty())
    table.notes.push_back("no efficiencies: this run has no ceilings");
  else if (std::any_of(results.points.begin(), results.points.end(),
                       [&](const KernelPoint& point) { return point.threads != results.roofline.threads(); }))
    table.notes.push_back(
        fmt::format("efficiencies only for {} threads, the ceilings' thread count", results.roofline.threads()));
  for (auto& line : source_lines(results)) table.notes.push_back(std::move(line));
  return table;
}

std::vector<std::string> source_lines(const Results& results) {
  std::vector<std::string> flops;
  std::map<std::string, std::vector<std::string>> bytes;  // notes by source
  const auto add_once = [](std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  };
  for (const auto& point : results.points) {
    add_once(flops, std::string(name(point.counts.operations_source)));
    const auto& traffic = point.counts.traffic;
    if (std::none_of(traffic.begin(), traffic.end(), [](const auto& t) { return t.has_value(); })) continue;
    auto& notes = bytes[point.counts.traffic_label()];
    if (!point.counts.traffic_note.empty()) add_once(notes, point.counts.traffic_note);
  }
  std::vector<std::string> lines;
  if (!flops.empty())
    lines.push_back(
        fmt::format("FLOPs: {}, source: {}",
                    results.flop_account.empty() ? "canonical account (FMA = 2, division = 1)" : results.flop_account,
                    fmt::join(flops, ", ")));
  for (const auto& [source, notes] : bytes) {
    std::string line = "bytes: " + source;
    if (!notes.empty()) line += " (" + common_note(notes) + ")";
    if (notes.size() > 1) line += ", each kernel's sampling in efficiency.csv";
    lines.push_back(line);
  }
  return lines;
}

std::vector<Table> remarks(const Results& results) {
  std::vector<Table> blocks;
  if (!results.complete) blocks.push_back(block("Interrupted", {"this run was interrupted and is incomplete"}));
  if (!results.failures.empty()) {
    std::vector<std::string> lines;
    for (const auto& [row, reason] : results.failures) lines.push_back(row + ": " + reason);
    blocks.push_back(block("No result", std::move(lines)));
  }
  if (!results.warnings.empty()) blocks.push_back(block("Warnings", results.warnings));
  if (!results.left_out.empty()) blocks.push_back(block("Left out of this run", results.left_out));
  return blocks;
}

}  // namespace roofline
