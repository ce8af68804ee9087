#include "bench/library/roofline_of_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "bench/library/declared/declared_points.hpp"
#include "bench/library/declared/declared_row.hpp"
#include "bench/library/kept_rows.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/machine/clock.hpp"
#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/storage/row_text.hpp"
#include "bench/storage/stored_run.hpp"

namespace roofline {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

void use(const MachineCeilings& found, int threads, Results& results) {
  results.roofline = Roofline(found.ceilings, threads);
  results.ceilings_origin = found.origin;
  results.warnings = found.warnings;
  results.failures.insert(results.failures.end(), found.failures.begin(), found.failures.end());
}

}  // namespace

RooflineOfRows::RooflineOfRows(const RowsInRounds& rows, const Machine& machine, const RooflineFlags& flags,
                               const NoiseMeter& noise) {
  for (auto& point : rows.points()) results_[point.threads].points.push_back(std::move(point));
  if (results_.empty()) results_[1] = {};
  for (auto& [threads, results] : results_) {
    results.machine = machine;
    results.date = utc_now();
    results.command_line = flags.command_line;
    results.timer.step = timer_step();
    std::tie(results.timer.shortest_sample, results.timer.shortest_row) = rows.shortest();
    if (const auto steal = noise.steal()) results.noise = HostNoise{*steal, noise.throttled()};
    if (const auto roofs = rows.roofs().find(threads); roofs != rows.roofs().end())
      use(roofs->second->ceilings(), threads, results);
    results.failures.insert(results.failures.end(), rows.failures().begin(), rows.failures().end());
    bool few = false;
    for (const auto& point : results.points) {
      places_[point.name] = {&results, &point};
      results.rounds = std::max(results.rounds, point.rounds());
      few = few || point.rounds() < least_rounds;
    }
    if (few)
      results.skipped.push_back(fmt::format(
          "ranges of rows with fewer than {} rounds: their iterations are long; --benchmark_repetitions=6 gives them",
          least_rounds));
    assess(results);
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
  RowText text;
  text.ReportContext({}), text.ReportRuns(all);
  return roofline::run_json(text.json([](Row&) {}), results, context);
}

}  // namespace roofline
