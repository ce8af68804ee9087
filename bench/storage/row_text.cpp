#include "bench/storage/row_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "bench/model/counts.hpp"

namespace roofline {
namespace {

/// The library's CSV has the columns of its first row and aborts on a row with others: ceilings and kernels get the
/// same. What a row does not have is "nan" there.
void give_same_counters(benchmark::BenchmarkReporter::Run& row) {
  std::string columns =
      "FLOP/s B/s flops fma_fraction time_median time_ci_low time_ci_high time_bound attainable efficiency "
      "efficiency_mix rate_low rate_high theory add mul fma div attainable_mix clock_begin clock_end time_min rounds "
      "efficiency_low efficiency_high resolved";
  for (const auto level : memory_levels)
    columns += fmt::format(" bytes_{0} bytes_{0}_low bytes_{0}_high AI_{0}", name(level));
  std::istringstream words(columns);
  benchmark::UserCounters same;
  for (std::string column; words >> column;) {
    const auto found = row.counters.find(column);
    same[column] = found != row.counters.end() ? found->second : benchmark::Counter(std::nan(""));
  }
  row.counters = std::move(same);
}

}  // namespace

void RowText::ReportRuns(const std::vector<Run>& rows) {
  groups_.push_back(rows);
  // It belongs to the library, which is then done with it.
  for (auto& row : groups_.back()) row.statistics = nullptr;
}

std::string RowText::written_by(BenchmarkReporter& reporter, const Annotate& annotate) const {
  std::ostringstream text, log;
  reporter.SetOutputStream(&text), reporter.SetErrorStream(&log);
  if (!context_ || !reporter.ReportContext(*context_)) return "";
  for (auto rows : groups_) {
    for (auto& row : rows) annotate(row);
    reporter.ReportRuns(rows);
  }
  reporter.Finalize();
  return text.str();
}

std::string RowText::json(const Annotate& annotate) const {
  benchmark::JSONReporter reporter;
  return written_by(reporter, annotate);
}

std::string RowText::csv(const Annotate& annotate) const {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  benchmark::CSVReporter reporter;  // deprecated upstream, still what --benchmark_format=csv means
#pragma GCC diagnostic pop
  return written_by(reporter, [&](Run& row) { annotate(row), give_same_counters(row); });
}

}  // namespace roofline
