#include "bench/storage/google_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "bench/machine/cgroup.hpp"
#include "bench/model/assessment.hpp"
#include "bench/model/counts.hpp"
#include "bench/model/repetition.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline {
namespace {

/// The library's CSV has the columns of its first row and aborts on a row with others, so every row gets the counters
/// of all. A missing value is "nan" there.
void give_same_counters(std::vector<GoogleRow>& rows) {
  std::set<std::string> columns;
  for (const auto& row : rows)
    for (const auto& [name, counter] : row.counters) columns.insert(name);
  for (auto& row : rows)
    for (const auto& name : columns) row.counters.try_emplace(name, std::nan(""));
}

/// A row of the reports, before it has a result. Each is a family of its own.
GoogleRow empty_row(const std::string& name) {
  GoogleRow row;
  row.run_name.function_name = name;
  row.time_unit = benchmark::kMillisecond;
  row.family_index = 0;
  row.per_family_instance_index = 0;
  row.repetitions = 1;
  row.repetition_index = 0;
  row.statistics = nullptr;
  return row;
}

GoogleRow kernel_row(const KernelPoint& point, const Results& results) {
  auto row = empty_row(point.name);
  const auto samples = std::max<std::size_t>(1, point.samples.size());
  row.iterations = static_cast<benchmark::IterationCount>(samples);
  row.threads = point.threads;
  row.real_accumulated_time = point.time.median * static_cast<double>(samples);
  row.cpu_accumulated_time = point.cpu_seconds * static_cast<double>(samples);
  put_counters(row, point);
  if (!point.is_bound() && stops_one_thread(results.machine.quota) && point.threads == 1)
    row.report_label += " throttled";
  return row;
}

/// The repetitions of a point, each judged by its own rounds.
std::vector<KernelPoint> repetitions_of(const KernelPoint& point, const Results& results, int repetitions) {
  std::vector<KernelPoint> parts;
  const int rounds = (point.rounds() + repetitions - 1) / repetitions;
  for (int n = 0; n < repetitions; ++n) {
    if (repetitions == 1 || point.samples.empty()) {
      parts.push_back(point);
      continue;
    }
    if (n * rounds >= point.rounds()) break;
    parts.push_back(repetition(point, n * rounds, rounds));
    parts.back().assessment = assess(results.roofline, parts.back());
  }
  return parts;
}

/// The rows of each repetition of a planned row; rows without a result give the reason.
std::vector<GoogleRow> repeated_rows(const Results& results, const PlannedRow& planned, int repetitions) {
  std::vector<GoogleRow> rows;
  if (planned.is_ceiling) {
    for (const auto& ceiling : results.roofline.ceilings())
      if (ceiling.name == planned.name && ceiling.rate > 0 && rows.empty())
        rows.assign(static_cast<std::size_t>(repetitions), ceiling_row(ceiling));
  } else {
    for (const auto& point : results.points)
      if (point.name == planned.name && rows.empty())
        for (const auto& part : repetitions_of(point, results, repetitions)) rows.push_back(kernel_row(part, results));
  }
  while (rows.size() < static_cast<std::size_t>(repetitions)) {
    rows.push_back(empty_row(planned.name));
    rows.back().iterations = 0;
    set_row_error(rows.back(), planned.missing.empty() ? "interrupted" : planned.missing);
  }
  // This comes last, because the text after the word "variant=" of a ceiling's label may have blanks.
  if (const auto& place = results.place; place && !place->window.empty())
    for (auto& row : rows)
      if (row_error(row).empty())
        row.report_label += (row.report_label.empty() ? "window=" : " window=") + place->window;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (results.model) rows[n].cpu_accumulated_time = 0;  // what the model took is not part of its answer
    rows[n].repetitions = repetitions;
    rows[n].repetition_index = static_cast<std::int64_t>(n);
  }
  return rows;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The standard deviation of a sample, as in the library.
double standard_deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

struct Aggregate {
  const char* name;
  benchmark::StatisticUnit unit;
  double (*of)(const std::vector<double>&);
};

const Aggregate aggregates[] = {
    {.name = "mean", .unit = benchmark::kTime, .of = mean},
    {.name = "median",
     .unit = benchmark::kTime,
     .of = [](const std::vector<double>& values) { return median(values); }},
    {.name = "stddev", .unit = benchmark::kTime, .of = standard_deviation},
    {.name = "cv", .unit = benchmark::kPercentage, .of = [](const std::vector<double>& values) {
       const double middle = mean(values);
       return middle == 0 ? 0 : standard_deviation(values) / middle;
     }}};

/// The aggregates of the repetitions that have a result; none of fewer than two.
std::vector<GoogleRow> aggregates_of(const std::vector<GoogleRow>& repetitions) {
  std::vector<double> real, cpu;
  std::map<std::string, std::vector<double>> counters;
  std::vector<const GoogleRow*> good;
  for (const auto& row : repetitions) {
    if (!row_error(row).empty()) continue;
    good.push_back(&row);
    real.push_back(row.real_accumulated_time / static_cast<double>(row.iterations));
    cpu.push_back(row.cpu_accumulated_time / static_cast<double>(row.iterations));
    for (const auto& [name, counter] : row.counters) counters[name].push_back(counter.value);
  }
  std::vector<GoogleRow> rows;
  if (good.size() < 2) return rows;
  const bool one_label = std::all_of(
      good.begin(), good.end(), [&](const GoogleRow* row) { return row->report_label == good.front()->report_label; });
  for (const auto& aggregate : aggregates) {
    auto row = empty_row(good.front()->run_name.function_name);
    row.run_type = GoogleRow::RT_Aggregate;
    row.aggregate_name = aggregate.name;
    row.aggregate_unit = aggregate.unit;
    row.threads = good.front()->threads;
    row.repetitions = good.front()->repetitions;
    row.repetition_index = GoogleRow::no_repetition_index;
    row.iterations = static_cast<benchmark::IterationCount>(good.size());
    // Times are divided by the iterations when they are printed, percentages are not.
    const double scale = aggregate.unit == benchmark::kTime ? static_cast<double>(good.size()) : 1;
    row.real_accumulated_time = scale * aggregate.of(real);
    row.cpu_accumulated_time = scale * aggregate.of(cpu);
    if (one_label) row.report_label = good.front()->report_label;
    for (const auto& [name, values] : counters)
      if (const double value = aggregate.of(values); values.size() > 1 && std::isfinite(value))
        row.counters[name] = benchmark::Counter(value);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string written_by(benchmark::BenchmarkReporter& reporter, const std::vector<GoogleRow>& rows) {
  std::ostringstream text, log;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&log);
  if (rows.empty() || !reporter.ReportContext({})) return "";
  reporter.ReportRuns(rows);
  reporter.Finalize();
  return text.str();
}

}  // namespace

std::vector<GoogleRow> google_rows(const Results& results, const std::vector<PlannedRow>& planned, int repetitions,
                                   bool only_aggregates) {
  std::vector<GoogleRow> all;
  std::int64_t family = 0;
  for (const auto& row : planned) {
    auto rows = repeated_rows(results, row, repetitions);
    auto statistics = aggregates_of(rows);
    if (only_aggregates && !statistics.empty()) rows.clear();
    rows.insert(rows.end(), statistics.begin(), statistics.end());
    for (auto& one : rows) one.family_index = family;
    ++family;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

std::string google_json(const std::vector<GoogleRow>& rows) {
  benchmark::JSONReporter reporter;
  return strict_json(written_by(reporter, rows));
}

std::string google_csv(const std::vector<GoogleRow>& rows) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  benchmark::CSVReporter reporter;  // deprecated upstream, still what --benchmark_format=csv means
#pragma GCC diagnostic pop
  auto same = rows;
  give_same_counters(same);
  return written_by(reporter, same);
}

GoogleRow ceiling_row(const Ceiling& ceiling) {
  auto row = empty_row(ceiling.name);
  row.real_accumulated_time = 1e9 / ceiling.rate;
  row.cpu_accumulated_time = row.real_accumulated_time;
  put_counters(row, ceiling);
  return row;
}

}  // namespace roofline
