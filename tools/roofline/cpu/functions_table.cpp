#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "tools/roofline/cpu/cpu.hpp"

namespace roofline::cli::cpu_command {
namespace {

using any_program::ProgramRow;

constexpr std::uint64_t few_samples = 100;

std::vector<std::string> cells(const ProgramRow& row, const KernelPoint& point, const std::vector<MemoryLevel>& levels,
                               bool with_times) {
  const bool timed = point.time.median > 0;
  const auto flops = point.counts.operations.flops();
  const double error = timed ? point.time.high / point.time.median - 1 : 0;
  const std::string none(absent);
  std::vector<std::string> cells{row.name};
  if (with_times) {
    cells.push_back(row.was_timed ? duration(row.seconds) : none);
    cells.push_back(timed ? fmt::format("{:.0f}", 100 * error) : none);
  }
  cells.push_back(fmt::format("{:.1f}", 100 * row.share));
  cells.push_back(std::to_string(point.threads));
  if (!with_times) cells.push_back(flops > 0 ? significant(giga(static_cast<double>(flops))) : none);
  if (with_times) cells.push_back(flops > 0 && timed ? significant(giga(point.flop_rate())) : none);
  for (const auto level : levels) cells.push_back(flops > 0 ? significant(point.counts.intensity(level)) : none);
  if (!with_times) return cells;
  const auto& roof = point.assessment.roof;
  const auto bound = what_bounds(point.assessment);
  cells.push_back(bound.empty() ? none : bound);
  cells.push_back(roof ? fmt::format("{:.0f}", 100 * roof->efficiency) : none);
  return cells;
}

/// Of those that compute: a function that only calls others stores what these must not lose.
bool is_mostly_local(const any_program::CountedFunction& counted) {
  const auto l1 = counted.bytes.find(MemoryLevel::L1);
  return l1 != counted.bytes.end() && counted.flops() > 0 && 2 * counted.local > l1->second.total();
}

}  // namespace

Table function_table(const std::string& program, const std::vector<ProgramRow>& rows, const Results& results) {
  std::vector<MemoryLevel> levels;
  for (const auto level : memory_levels)
    if (std::any_of(results.points.begin(), results.points.end(),
                    [&](const auto& point) { return point.counts.at(level).has_value(); }))
      levels.push_back(level);
  const bool with_times = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.was_timed; });
  const bool of_regions = !rows.empty() && rows.front().by_clock;
  Table table{
      (of_regions ? "Regions of " : "Functions of ") + program, {{of_regions ? "region" : "function", false}}, {}, {}};
  const auto column = [&](const std::string& header, bool numbers = true) {
    table.columns.push_back({header, numbers});
  };
  if (with_times) column("time"), column("+-%");
  column("share"), column("thr"), column(with_times ? "GFLOP/s" : "GFLOP");
  for (const auto level : levels) column((level == levels.front() ? "FLOP/B " : "") + std::string(name(level)));
  if (with_times) column("bound", false), column("% roof");
  std::string few, sources, spilled;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_point = i < results.points.size();
    table.rows.push_back(
        {cells(rows[i], is_point ? results.points[i] : any_program::point_of(rows[i], "", "", 1), levels, with_times)});
    if (rows[i].was_timed && !of_regions && rows[i].samples < few_samples && rows[i].name.front() != '[')
      few += (few.empty() ? "" : ", ") + rows[i].name;
    if (is_point && is_mostly_local(rows[i].counted)) spilled += (spilled.empty() ? "" : ", ") + rows[i].name;
    constexpr std::size_t most_sources = 4;
    if (i < most_sources && !rows[i].source.empty())
      sources += fmt::format("{}{} {}", sources.empty() ? "" : ", ", rows[i].name, rows[i].source);
  }
  const std::string times =
      !with_times ? "share: of the instructions, in percent"
      : of_regions
          ? "time: measured, of all calls, of the thread that spent most in it, with the regions within; share: "
            "in percent of the time of all threads"
          : "time: sampled, of the thread that spent most in it; +-: two standard deviations; share: in "
            "percent of the time of all threads";
  table.notes.push_back(times + "; thr: threads. FLOPs: executed in an emulator, exact; bytes: modelled caches");
  if (!few.empty()) table.notes.push_back("fewer than 100 samples, so no rate to rely on: " + few);
  if (!spilled.empty())
    table.notes.push_back("L1 is more than half spilled registers, local variables and constants: " + spilled);
  if (!sources.empty()) table.notes.push_back("where: " + sources);
  return table;
}

}  // namespace roofline::cli::cpu_command
