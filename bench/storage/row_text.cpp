#include "bench/storage/row_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "bench/model/counts.hpp"
#include "bench/storage/roofline_reporter.hpp"

namespace roofline {
namespace {

/// The library's CSV has the columns of its first row and aborts on a row with others: ceilings and kernels get the
/// same. What a row does not have is "nan" there.
void give_same_counters(benchmark::BenchmarkReporter::Run& row) {
  std::vector<std::string> columns{"FLOP/s",
                                   "B/s",
                                   "flops",
                                   "fma_fraction",
                                   "time_median",
                                   "time_ci_low",
                                   "time_ci_high",
                                   "time_bound",
                                   "attainable",
                                   "efficiency",
                                   "efficiency_mix",
                                   "rate_low",
                                   "rate_high",
                                   "theory",
                                   "add",
                                   "mul",
                                   "fma",
                                   "div",
                                   "attainable_mix",
                                   "clock_begin",
                                   "clock_end",
                                   "time_min",
                                   "rounds",
                                   "efficiency_low",
                                   "efficiency_high",
                                   "resolved"};
  for (const auto level : memory_levels)
    for (const auto* const key : {"bytes_{}", "bytes_{}_low", "bytes_{}_high", "AI_{}"})
      columns.push_back(fmt::format(fmt::runtime(key), name(level)));
  benchmark::UserCounters same;
  for (const auto& column : columns) {
    const auto found = row.counters.find(column);
    same[column] = found != row.counters.end() ? found->second : benchmark::Counter(std::nan(""));
  }
  row.counters = std::move(same);
}

}  // namespace

struct RowText::Sinks {
  Sinks(const Annotate& annotate, bool with_csv)
      : to_json(json, annotate),
        to_csv(csv,
               [annotate](benchmark::BenchmarkReporter::Run& row) {
                 annotate(row);
                 give_same_counters(row);
               }),
        all(with_csv ? std::vector<benchmark::BenchmarkReporter*>{&to_json, &to_csv}
                     : std::vector<benchmark::BenchmarkReporter*>{&to_json}) {
    json.SetOutputStream(&json_text), csv.SetOutputStream(&csv_text);
    json.SetErrorStream(&log), csv.SetErrorStream(&log);
    all.SetOutputStream(&log), all.SetErrorStream(&log);
  }

  std::ostringstream json_text, csv_text, log;
  benchmark::JSONReporter json;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  benchmark::CSVReporter csv;  // deprecated upstream, still what --benchmark_format=csv means
#pragma GCC diagnostic pop
  RooflineReporter to_json, to_csv;
  Broadcast all;
};

RowText::RowText(Annotate annotate, bool with_csv) : sinks_(std::make_unique<Sinks>(annotate, with_csv)) {}
RowText::~RowText() = default;
benchmark::BenchmarkReporter& RowText::reporter() { return sinks_->all; }
void RowText::finish() { sinks_->to_json.finish(), sinks_->to_csv.finish(); }
std::string RowText::json() const { return sinks_->json_text.str(); }
std::string RowText::csv() const { return sinks_->csv_text.str(); }

}  // namespace roofline
