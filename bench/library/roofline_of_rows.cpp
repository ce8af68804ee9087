#include "bench/library/roofline_of_rows.hpp"

#include <fmt/format.h>

#include <ctime>

#include "bench/library/declared_points.hpp"
#include "bench/library/declared_row.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/library/rows_json.hpp"
#include "bench/machine/clock.hpp"
#include "bench/run/ceilings_file.hpp"
#include "bench/run/conclude.hpp"
#include "bench/run/measured_run.hpp"
#include "bench/run/reports.hpp"
#include "bench/run/row_counters.hpp"
#include "bench/run/row_error.hpp"

namespace roofline {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

void use(MachineCeilings found, int threads, Results& results) {
  results.roofline = Roofline(std::move(found.ceilings), threads);
  results.ceilings_origin = std::move(found.origin);
  results.warnings = std::move(found.warnings);
  results.drifts = std::move(found.drifts);
  for (auto& failure : found.failures) results.failures.push_back(std::move(failure));
}

/// Of several numbers of threads a file may know one.
MachineCeilings ceilings_of(const Machine& machine, int threads, const CeilingsChoice& choice, bool only_one) {
  if (only_one) return machine_ceilings(machine, threads, choice);
  try {
    return machine_ceilings(machine, threads, choice);
  } catch (const ForeignCeilings& lacking) {
    return {.ceilings = {}, .origin = {}, .warnings = {lacking.what()}, .failures = {}, .drifts = {}};
  }
}

}  // namespace

RooflineOfRows::RooflineOfRows(const KeptRows& rows, const Machine& machine, const RooflineFlags& flags) {
  auto declared = declared_points(rows, machine);
  for (auto& point : declared.points) results_[point.threads].points.push_back(std::move(point));
  if (results_.empty()) results_[1] = {};
  for (auto& [threads, results] : results_) {
    results.machine = machine;
    results.date = utc_now();
    results.command_line = flags.command_line;
    results.timer.step = timer_step();
    results.timer.shortest_sample = declared.shortest_sample;
    results.timer.shortest_row = declared.shortest_row;
    if (!results.points.empty())
      use(ceilings_of(machine, threads, flags.ceilings, results_.size() == 1), threads, results);
    results.failures.insert(results.failures.end(), declared.failures.begin(), declared.failures.end());
    bool single = false;
    for (const auto& point : results.points) {
      places_[point.name] = {&results, &point};
      single = single || point.samples == 1;
    }
    if (single)
      results.left_out.emplace_back(
          "intervals: rows ran once; --benchmark_repetitions=9 gives each a median and its interval");
    conclude(results);
  }
}

bool RooflineOfRows::has_points() const { return !places_.empty(); }

const RooflineOfRows::Place* RooflineOfRows::place_of(const Row& row) const {
  const auto found = places_.find(point_name(row));
  return found == places_.end() ? nullptr : &found->second;
}

void RooflineOfRows::annotate(Row& row) const {
  take(row.counters);
  if (!row_error(row).empty()) return;
  if (row.run_type == Row::RT_Aggregate && row.aggregate_name != "mean" && row.aggregate_name != "median") return;
  const auto* const place = place_of(row);
  if (!place) return;
  const auto label = row.report_label;
  put_counters(row, *place->point, place->results->roofline);
  if (!label.empty()) row.report_label = label + " " + row.report_label;
}

std::string RooflineOfRows::run_json(const KeptRows& rows, int threads) const {
  const auto& results = results_.at(threads);
  std::vector<Row> all;
  for (const auto& ceiling : results.roofline.ceilings()) all.push_back(ceiling_row(ceiling));
  for (const auto& group : rows.groups())
    for (auto row : group) {
      const auto* const place = place_of(row);
      if (place && place->results != &results) continue;
      annotate(row);
      all.push_back(std::move(row));
    }
  auto context = results.machine.context();
  context["threads"] = std::to_string(threads);
  context["command_line"] = results.command_line;
  context["suite_version"] = ROOFLINE_VERSION;
  const auto text = rows_json(all, context);
  return reports().run_json ? reports().run_json(text, results) : text;
}

}  // namespace roofline
