#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "bench/any_program/program_events.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/model/assessment.hpp"
#include "bench/model/statistics.hpp"
#include "bench/text/format.hpp"
#include "tools/roofline/cpu/cpu.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::cpu_command {
namespace {

using namespace any_program;

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

/// Only for functions that compute: a function that only calls others stores registers that these must not lose.
bool is_mostly_local(const CountedFunction& counted) {
  const auto l1 = counted.bytes.find(MemoryLevel::L1);
  return l1 != counted.bytes.end() && counted.flops() > 0 && 2 * counted.local > l1->second.total();
}

/// How well bytes of sampled caches are known; empty where none are.
std::string sampled_ranges(const std::vector<KernelPoint>& points) {
  std::vector<double> all;
  std::string worst;
  for (const auto& point : points)
    for (const auto level : memory_levels) {
      const auto& range = point.counts.range[static_cast<std::size_t>(level)];
      if (!range || !point.counts.at(level)) continue;
      const double half = (range->high - range->low) / 2 / point.counts.at(level)->total();
      if (all.empty() || half > *std::max_element(all.begin(), all.end()))
        worst = fmt::format("{} in {}", point.name.substr(point.name.find('/') + 1), name(level));
      all.push_back(half);
    }
  if (all.empty()) return {};
  return fmt::format(
      "bytes beyond L1: estimates from an eighth of the sets of each cache, and from windows of a long run; "
      "half of them within +-{} %, the worst ({}) within +-{} % (95 %); bytes_*_low and _high in run.json",
      significant(100 * median(all), 2), worst, significant(100 * *std::max_element(all.begin(), all.end()), 2));
}

[[noreturn]] void refuse(const CountedRun::Refusal& refused) {
  throw Inconclusive(fmt::format("{}: {} has {}: it is not counted",
                                 refused.module.empty() ? "made at run time" : refused.module, refused.function,
                                 refused.why));
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
  std::string few, sources, spilled, unseen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_point = i < results.points.size();
    table.rows.push_back(
        {cells(rows[i], is_point ? results.points[i] : point_of(rows[i], "", "", 1), levels, with_times)});
    if (rows[i].was_timed && !of_regions && rows[i].samples < few_samples && rows[i].name.front() != '[')
      few += (few.empty() ? "" : ", ") + rows[i].name;
    if (is_point && rows[i].counted.has_unknown_bytes()) unseen += (unseen.empty() ? "" : ", ") + rows[i].name;
    if (is_point && is_mostly_local(rows[i].counted)) spilled += (spilled.empty() ? "" : ", ") + rows[i].name;
    constexpr std::size_t most_sources = 4;
    if (i < most_sources && !rows[i].source.empty())
      sources += fmt::format("{}{} {}", sources.empty() ? "" : ", ", rows[i].name, rows[i].source);
  }
  const std::string times = !with_times  ? "share: percent of the instructions"
                            : of_regions ? "time: measured, all calls, in the thread that spent most in it, with the "
                                           "regions within; share: percent of the time of all threads"
                                         : "time: sampled, in which at least one thread was in it; +-: two standard "
                                           "deviations; share: percent of the time of all threads";
  table.notes.push_back(times + "; thr: threads. FLOPs: counted in the program, exact; bytes: modelled caches");
  if (const auto ranges = sampled_ranges(results.points); !ranges.empty()) table.notes.push_back(ranges);
  if (!unseen.empty())
    table.notes.push_back("bytes unknown, since too few of their lines lie in these sets or windows: " + unseen);
  if (!few.empty()) table.notes.push_back("fewer than 100 samples, so no rate to rely on: " + few);
  if (!spilled.empty())
    table.notes.push_back("L1 is more than half spilled registers, local variables and constants: " + spilled);
  if (!sources.empty()) table.notes.push_back("where: " + sources);
  return table;
}

std::vector<std::string> doubts(const CountedProgram& run, const NativeRun& native, const std::string& program) {
  const auto& counted = run.counted;
  const bool same_end = run.ending.code == native.ending.code && !run.ending.signal;
  if (counted.refused && !run.stopped) refuse(*counted.refused);
  if (counted.processes == 0) {
    const auto line = run.complaints.substr(0, run.complaints.find('\n'));
    throw Inconclusive(fmt::format("{}: no counts were left{}", program, line.empty() ? "" : ": " + line));
  }
  auto notes = counted.notes;
  if (run.stopped)
    notes.emplace_back("stopped before its end: intensities are of the part that was counted, rates are left out");
  else if (native.ending.signal)
    notes.push_back(fmt::format("ended by signal {} ({}) by itself: rates are left out; its counts go to the signal",
                                native.ending.signal, ::strsignal(native.ending.signal)));
  else if (!same_end)
    notes.push_back(fmt::format(
        "ended with code {} when it was counted, {} by itself: rates are left out{}", run.ending.code,
        native.ending.code, run.complaints.empty() ? "" : "; " + run.complaints.substr(0, run.complaints.find('\n'))));
  return notes;
}

std::vector<std::string> other_results(const Runner& runner, const ProgramFile& program, const NativeRun& native,
                                       const CountedProgram& run) {
  if (run.output == native.output || run.stopped) return {};
  const auto again = run_natively(runner, program, false);
  const auto line = other_result(native.output, again.output, run.output);
  if (!line) return {};
  return {fmt::format("prints another result when it is counted, so its work may be other work: '{}'",
                      line->substr(0, 60))};
}

std::vector<std::string> by_hardware(const Runner& runner, const ProgramFile& program, const Machine& machine,
                                     const std::vector<ProgramRow>& rows) {
  try {
    perf::Group(perf::this_kernel(), perf::events_of(perf::common_formulas().front()), {0});
  } catch (const CountersUnavailable& why) {
    return {fmt::format("no hardware counters: {}", why.what())};
  }
  const auto* const table = perf::event_table({machine.vendor, machine.family, machine.model, perf::midr_part()});
  if (!table)
    return {fmt::format("no hardware counters: there is no table of events for {} (family {}, model {})", machine.name,
                        machine.family, machine.model)};
  perf::CpuValues values;
  std::vector<std::string> lines;
  for (const auto& formula : table->formulas) {
    using enum perf::CpuQuantity;
    if (!perf::is_flops(formula.quantity) && formula.quantity != dram_read && formula.quantity != dram_written)
      continue;
    try {
      const auto events = perf::events_of(formula);
      std::unique_ptr<ProgramEvents> counters;
      Launch launch;
      launch.file = program.path, launch.name = runner.name, launch.arguments = runner.arguments;
      launch.in = runner.input, launch.out = runner.folder / "hardware.txt";
      launch.before = [&](pid_t child) { counters = std::make_unique<ProgramEvents>(events, child); };
      launch.meanwhile = [](double) {
        if (asked_to_stop()) signal_running(asked_to_stop());
      };
      any_program::run(launch);
      if (const auto value = formula.value(counters->counts())) values[formula.quantity] = *value;
    } catch (const CountersUnavailable& why) {
      lines.push_back(fmt::format("no hardware counter of {}: {}", name(formula.quantity), why.what()));
    }
  }
  for (auto& line : hardware_next_to(rows, values)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace roofline::cli::cpu_command
