#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

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

}  // namespace roofline
