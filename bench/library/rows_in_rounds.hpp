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
#include "bench/recovery/records.hpp"
#include "bench/text/output.hpp"

namespace roofline {

/// Rounds of a row, and its samples in each.
struct RowRoundsWanted {
  int rounds = 0, samples = 0;
};

/// As many samples of a row, up to twelve rounds of three, as leave what the user waits at most a fifth above what it
/// would be without them, or 0.3 s above. Google Benchmark is asked for `min_time` seconds of a row in all and for
/// `part` in a sample. An iteration takes `iteration`, the first pass took the row `first_pass`, and a sample of its
/// roofs takes `roofs`; all in seconds. Where six rounds of three do not fit, a round has one sample. No round: the
/// first pass is all.
RowRoundsWanted rounds_of_row(double min_time, double part, double iteration, double first_pass, double roofs);

/// Runs the benchmarks of the program and samples the ceilings that could bind each next to it.
///
/// First comes a pass over all rows, as without a roofline. Then every row without repetitions, iterations or a time of
/// its own is sampled between its roofs in rounds over all rows. Changes of the machine then meet all rows, and the
/// rounds tell how well each is known. Where the program or its flags say how to measure, the first pass does so, and
/// the roofs are sampled behind the row.
class RowsInRounds : public benchmark::BenchmarkReporter {
 public:
  /// `live` prints the rows; null: nobody does.
  RowsInRounds(const Machine& machine, const RooflineFlags& flags, benchmark::BenchmarkReporter* live);

  /// Returns how many benchmarks there are. Throws what RoofsBeside throws.
  std::size_t run();

  /// The rows for Google Benchmark's reporters, one each.
  const KeptRows& shown() const { return shown_; }
  const KeptRows& for_file() const { return for_file_; }
  /// By the number of threads: the ceilings, and the rows that declare their work, with their rounds.
  const std::map<int, Records>& records() const { return records_; }
  /// The rows without a result, with the reason.
  const std::vector<std::pair<std::string, std::string>>& failures() const { return failures_; }
  const std::map<int, std::unique_ptr<RoofsBeside>>& roofs() const { return roofs_; }

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override {}

 private:
  /// One row, as it is known so far.
  struct Row {
    std::string name;                        ///< by which Google Benchmark finds it
    std::vector<std::vector<Run>> reported;  ///< by the first pass and by each sample
    std::optional<KernelPoint> point;        ///< absent: it declares nothing
    std::vector<std::string> roofs;
    int rounds = 0;  ///< that it has
    RowRoundsWanted wanted;
  };

  /// Takes what the first pass reported of a row, which took it `seconds`.
  void enter(const std::vector<Run>& runs, double seconds);
  void set_up(Row& row, std::vector<Run> runs);
  /// Where the program says how to measure: each repetition is a round next to the same samples of the roofs.
  void add_as_measured(Row& row, const std::vector<Run>& runs);
  /// Has Google Benchmark run the row, which then reports to `row`.
  Sample sample_row(Row& row);
  void take_round(Row& row);
  void add_round(Row& row, RowRound round);
  double sample_roof(const Row& row, const std::string& roof, double seconds);
  /// Why the row has no result, entered as its failure; empty where it has one.
  std::string failure_of(Row& row, const std::vector<Run>& runs);
  static std::vector<Run> merged(const Row& row);

  const Machine& machine_;
  const RooflineFlags& flags_;
  KeptRows shown_, for_file_;
  bool in_rounds_;
  double part_;  ///< of Google Benchmark's time, in seconds, that a sample has
  std::optional<Context> context_;
  int round_ = 0;
  Row* sampled_ = nullptr;  ///< the row that reports come from; null in the first pass
  std::vector<std::unique_ptr<Row>> rows_;
  std::map<int, std::unique_ptr<RoofsBeside>> roofs_;
  std::map<int, Records> records_;
  std::vector<std::pair<std::string, std::string>> failures_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), row_start_ = start_;
  Progress progress_;
  std::exception_ptr wrong_;  ///< thrown in a call of Google Benchmark's, which must not see it
};

}  // namespace roofline
