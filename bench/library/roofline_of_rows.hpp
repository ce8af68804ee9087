#pragma once
#include <map>
#include <string>

#include "bench/library/flags.hpp"
#include "bench/library/rows_in_rounds.hpp"
#include "bench/machine/noise_meter.hpp"
#include "bench/result/results.hpp"

namespace roofline {

/// What a run found out about its rows: one roofline for each number of threads that rows ran with.
class RooflineOfRows {
 public:
  RooflineOfRows(const RowsInRounds& rows, const Machine& machine, const RooflineFlags& flags, const NoiseMeter& noise);

  bool has_points() const;
  const std::map<int, Results>& by_threads() const { return results_; }
  /// Adds the counters of run.json to a row.
  void annotate(benchmark::BenchmarkReporter::Run& row) const;
  /// The ceilings and the rows of one number of threads, as run.json has them.
  std::string run_json(const KeptRows& rows, int threads) const;

 private:
  struct Place {
    const Results* results;
    const KernelPoint* point;
  };
  const Place* place_of(const benchmark::BenchmarkReporter::Run& row) const;

  std::map<int, Results> results_;
  std::map<std::string, Place> places_;  ///< by the name of the point
};

}  // namespace roofline
