#include "reporters/kernel_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/modelled_table.hpp"
#include "reporters/point_names.hpp"

namespace roofline {
namespace {

struct Mark {
  char sign;
  bool (*applies)(const KernelPoint&, const Assessment&);
  std::string meaning;
};

const std::vector<Mark>& marks() {
  static const std::vector<Mark> all{
      {'!', [](const KernelPoint&, const Assessment& a) { return above_roof(a); }, above_roof_causes},
      {'~', [](const KernelPoint& p, const Assessment&) { return p.time.relative_half_width() > wide_interval; },
       "wide: the 95 % interval is wider than +-5 % of the median"},
      {'x', [](const KernelPoint& p, const Assessment&) { return p.contaminated > contamination_limit; },
       "contaminated: the machine did something else during more than a fifth of the samples"},
      {'m', [](const KernelPoint&, const Assessment& a) { return a.elsewhere; },
       "moved: the hypervisor had the cores farther from one another, or nearer, than for the ceilings of L3 and DRAM "
       "(core_distance in efficiency.csv): of DRAM the % are of what it gave there"},
      {'p',
       [](const KernelPoint& p, const Assessment& a) { return !a.elsewhere && p.dram_pace && p.dram_pace->differs(); },
       "pace: beside this kernel DRAM was more than 5 % off its ceiling (a shared host); the % are of what it gave "
       "then, dram_pace in efficiency.csv"},
      {'d', [](const KernelPoint& p, const Assessment&) { return p.dram_pace && p.dram_pace->moved(); },
       "drift: the bandwidth of DRAM before and after this kernel differs by more than 5 %"},
  };
  return all;
}

std::optional<double> efficiency(const std::optional<Judgement>& judgement) {
  return judgement ? std::optional(judgement->efficiency) : std::nullopt;
}

std::vector<std::string> cells(const Member& member, const Assessment& assessment, const std::string& signs) {
  const KernelPoint& point = *member.point;
  const auto level = reported_level(point, assessment);
  const auto bytes_rate = level ? bandwidth(point, *level) : std::nullopt;
  std::vector<std::string> row{
      "  " + member.label, duration(point.time.median),
      point.samples == 1 ? std::string(absent) : fmt::format("{:.1f}", point.time.relative_half_width() * 100),
      significant(giga(point.flop_rate())), bytes_rate ? significant(giga(*bytes_rate)) : std::string(absent)};
  for (const auto l : memory_levels) row.push_back(significant(point.counts.intensity(l)));
  const auto bound = what_bounds(assessment);
  row.push_back(bound.empty() ? std::string(absent) : bound);
  row.push_back(percent(efficiency(assessment.roof)));
  row.push_back(percent(efficiency(assessment.mix)));
  row.push_back(signs);
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

/// Rows without time one by one up to three, else a line for all of them; run.json names each.
std::vector<std::string> folded(const std::vector<std::string>& left_out) {
  constexpr int shown = 3;
  std::vector<std::string> lines;
  std::map<std::string, int> late;  // by family
  int count = 0;
  for (const auto& line : left_out)
    if (line.find(": no time left; --benchmark_filter=") != line.npos) ++late[line.substr(0, line.find('/'))], ++count;
  if (count <= shown) return left_out;
  std::vector<std::string> families, counts;
  for (const auto& [family, n] : late) families.push_back(family), counts.push_back(fmt::format("{} {}", family, n));
  for (const auto& line : left_out)
    if (line.find(": no time left; --benchmark_filter=") == line.npos) lines.push_back(line);
  lines.push_back(fmt::format("no time left for {} rows ({}); --benchmark_filter='{}' measures them", count,
                              fmt::join(counts, ", "), fmt::join(families, "|")));
  return lines;
}

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

std::string marks_of(const KernelPoint& point) {
  std::string signs;
  if (point.is_bound()) return signs;  // its interval is the model's
  for (const auto& mark : marks())
    if (mark.applies(point, point.assessment)) signs += mark.sign;
  return signs;
}

std::vector<std::pair<char, std::string>> mark_meanings() {
  std::vector<std::pair<char, std::string>> meanings;
  for (const auto& mark : marks()) meanings.emplace_back(mark.sign, mark.meaning);
  return meanings;
}

Table kernel_table(const Results& results) {
  if (results.model) return modelled_table(results);
  Table table{"Kernels" + (results.gpu ? std::string() : common_threads(results.points)),
              {{"kernel", false},
               {"time"},
               {"+-%"},
               {"GFLOP/s"},
               {"GB/s"},
               {"AI L1"},
               {"L2"},
               {"L3"},
               {"DRAM"},
               {"bound", false},
               {"% roof"},
               {"% mix"},
               {"", false}},
              {},
              {}};
  std::string seen;
  for (const auto& group : group_by_family(results.points)) {
    table.rows.push_back({{group.heading}});
    for (const auto& member : group.members) {
      const auto& assessment = member.point->assessment;
      const auto signs = marks_of(*member.point);
      table.rows.push_back({cells(member, assessment, signs)});
      seen += signs;
    }
  }
  if (table.rows.empty()) return table;
  for (const auto& mark : marks())
    if (seen.find(mark.sign) != std::string::npos) table.notes.push_back(fmt::format("{} {}", mark.sign, mark.meaning));
  table.notes.push_back(
      "time: median of a launch, +-%: half of its 95 % interval. GB/s: at the level that bounds, or DRAM where "
      "compute does. AI: FLOP/B. bound: of % roof, or of % mix where that is lone lines, gathers, split loads, "
      "fork-join or the front end; core where a launch is as slow with its data in the core's caches. % "
      "roof: of min(compute ceiling of the build, AI x best bandwidth of each level); % "
      "mix: of the ceilings of the kernel's own mixes of instructions and accesses");
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
  if (!results.left_out.empty()) blocks.push_back(block("Left out of this run", folded(results.left_out)));
  return blocks;
}

}  // namespace roofline
