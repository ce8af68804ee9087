#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// A reporter of Google Benchmark that keeps what it is given, and passes it on at once or later.
class KeptRows : public benchmark::BenchmarkReporter {
 public:
  using Rows = std::vector<Run>;

  /// `live` sees every row as soon as it is there, without what only the roofline's counters hold; null: none does.
  explicit KeptRows(benchmark::BenchmarkReporter* live = nullptr) : live_(live) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const Rows& runs) override;
  void Finalize() override;

  const std::vector<Rows>& groups() const { return groups_; }
  /// All that was kept, `annotate`d; with `same_counters` every row gets the counters of all of them, which Google
  /// Benchmark's CSV demands.
  void replay(benchmark::BenchmarkReporter& to, const std::function<void(Run&)>& annotate, bool same_counters) const;

 private:
  benchmark::BenchmarkReporter* live_;
  std::optional<Context> context_;
  std::vector<Rows> groups_;  ///< as they were given: the repetitions of one row, then their aggregates
};

}  // namespace roofline
