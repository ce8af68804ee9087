#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"

namespace roofline {

/// The rows of a run as Google Benchmark's JSON and CSV: a reporter that keeps what the library reports. What is known
/// at the end alone, `annotate` adds to a copy of each row.
class RowText : public benchmark::BenchmarkReporter {
 public:
  using Annotate = std::function<void(Run&)>;

  RowText() { SetOutputStream(&log_), SetErrorStream(&log_); }
  bool ReportContext(const Context& context) override { return context_.emplace(context), true; }
  void ReportRuns(const std::vector<Run>& rows) override;

  /// Empty where nothing was reported.
  std::string json(const Annotate& annotate) const;
  std::string csv(const Annotate& annotate) const;

 private:
  std::string written_by(BenchmarkReporter& reporter, const Annotate& annotate) const;

  std::optional<Context> context_;
  std::vector<std::vector<Run>> groups_;  ///< repetitions of a row, their aggregates
  std::ostringstream log_;
};

/// Adds to a row of Google Benchmark what is known of its ceiling. Numbers that are not finite are left out.
void put_counters(benchmark::BenchmarkReporter::Run& row, const Ceiling& ceiling);

/// Adds what is known of its kernel: the counters of run.json. What is not known is absent, never zero.
void put_counters(benchmark::BenchmarkReporter::Run& row, const KernelPoint& point, const Roofline& ceilings);

/// Why a row of Google Benchmark has no result; empty when it has one. Up to version 1.7 a row has a flag
/// `error_occurred`, from 1.8 on an enumeration `skipped`: everything else in this project goes through here.
template <class Run>
std::string row_error(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return !run.error_occurred ? std::string() : run.error_message.empty() ? "error" : run.error_message;
  else
    return !run.skipped ? std::string() : run.skip_message.empty() ? "skipped" : run.skip_message;
}

}  // namespace roofline
