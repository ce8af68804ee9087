#pragma once
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/result/results.hpp"

namespace roofline {

using GoogleRow = benchmark::BenchmarkReporter::Run;

/// A row that a run was to have.
struct PlannedRow {
  std::string name;
  bool is_ceiling = false;
  std::string missing;  ///< why it has no result; empty where it has one, or where the run ended before it
};

/// The rows of Google Benchmark's reporters, made of the results. Each planned row gives one row for each repetition.
/// If there are two or more, their mean, median, standard deviation and coefficient of variation follow, as the library
/// computes them. A repetition is an equal part of the run's rounds; a modelled time is the same in all of them. With
/// `only_aggregates` a row that has aggregates gives only these.
std::vector<GoogleRow> google_rows(const Results& results, const std::vector<PlannedRow>& planned, int repetitions,
                                   bool only_aggregates = false);

/// The output of the library's reporters for the rows. The JSON is strict: the library writes bare NaN and infinities,
/// which become null.
std::string google_json(const std::vector<GoogleRow>& rows);
std::string google_csv(const std::vector<GoogleRow>& rows);

/// A ceiling as a row. Its time is that of 1e9 units of its work: the library wants a time.
GoogleRow ceiling_row(const Ceiling& ceiling);

/// Adds the known values of a ceiling or of a kernel: the counters of run.json, and a label. Unknown values are absent,
/// never zero. The point has been assessed.
void put_counters(GoogleRow& row, const Ceiling& ceiling);
void put_counters(GoogleRow& row, const KernelPoint& point);

/// Why a row of Google Benchmark has no result; empty when it has one. Up to version 1.7 a row has a flag
/// `error_occurred`, from 1.8 on an enumeration `skipped`: everything else in this project goes through here.
template <class Run>
std::string row_error(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return !run.error_occurred ? std::string() : run.error_message.empty() ? "error" : run.error_message;
  else
    return !run.skipped ? std::string() : run.skip_message.empty() ? "skipped" : run.skip_message;
}

/// Makes it a row without a result.
template <class Run>
void set_row_error(Run& run, const std::string& why) {
  if constexpr (requires { run.error_occurred; }) {
    run.error_occurred = true;
    run.error_message = why;
  } else {
    run.skipped = decltype(run.skipped)(2);  // skipped with an error
    run.skip_message = why;
  }
}

}  // namespace roofline
