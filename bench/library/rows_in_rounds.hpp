#pragma once
#include <benchmark/benchmark.h>

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/library/flags.hpp"
#include "bench/library/kept_rows.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/text/output.hpp"

namespace roofline {

/// Rounds of a row, each of a part of the `min_time` seconds that Google Benchmark is asked for: as many as leave what
/// the user waits at most a fifth above what it would be without rounds and probes, 1 to `most`. `iteration` takes a
/// row, `first_round` took the row in its first round, `probes` take its ceilings in a round; all in seconds.
int rounds_of_row(double min_time, double iteration, double first_round, double probes, int most);

/// Runs the benchmarks of the program and samples, right before and after each, the ceilings that could bind it.
///
/// A row without repetitions, iterations or a time of its own is run in rounds over all rows, each of a part of Google
/// Benchmark's usual time: what the machine does meanwhile then meets all rows, and the rounds tell how well each is
/// known. Where the program or its flags say how to measure it is done as they say, once.
class RowsInRounds : public benchmark::BenchmarkReporter {
 public:
  static constexpr int most_rounds = 6;

  /// `live` prints the rows; null: nobody does.
  RowsInRounds(const Machine& machine, const RooflineFlags& flags, benchmark::BenchmarkReporter* live);

  /// Returns how many benchmarks there are. Throws what RoofsBeside throws.
  std::size_t run();

  /// What Google Benchmark's reporters would have got: one row each.
  const KeptRows& shown() const { return shown_; }
  const KeptRows& for_file() const { return for_file_; }
  /// Those that declare their work, with their samples, and those that have no result, and why.
  std::vector<KernelPoint> points() const;
  const std::vector<std::pair<std::string, std::string>>& failures() const { return failures_; }
  const std::map<int, std::unique_ptr<RoofsBeside>>& roofs() const { return roofs_; }
  /// The shortest of all runs of a row, in seconds, and the row.
  std::pair<double, std::string> shortest() const { return shortest_; }

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override {}

 private:
  /// One row, as it is known so far.
  struct Row {
    std::string name;                      ///< by which Google Benchmark finds it
    std::vector<std::vector<Run>> rounds;  ///< what was reported
    std::optional<KernelPoint> point;      ///< absent: it declares nothing
    std::vector<std::string> probes;
    int wanted = 1;  ///< rounds
  };

  void take(const std::vector<Run>& runs, double seconds);
  void set_up(Row& row, std::vector<Run> runs);
  void add_samples(Row& row, const std::vector<Run>& runs);
  /// Samples the ceilings of the row that has just run and of the one that comes, each once.
  void probe(const std::vector<Row*>& rows);
  /// The row after this one in the round, after null the first; null after the last.
  Row* after(const Row* row);
  static std::vector<Run> merged(const Row& row);

  const Machine& machine_;
  const RooflineFlags& flags_;
  KeptRows shown_, for_file_;
  bool in_rounds_;
  std::optional<Context> context_;
  int round_ = 0;
  std::vector<std::unique_ptr<Row>> rows_;
  std::map<int, std::unique_ptr<RoofsBeside>> roofs_;
  std::vector<std::pair<std::string, std::string>> failures_;
  std::pair<double, std::string> shortest_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), row_start_ = start_;
  Progress progress_;
  std::exception_ptr wrong_;  ///< thrown in a call of Google Benchmark's, which must not see it
};

}  // namespace roofline
