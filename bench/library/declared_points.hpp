#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/library/kept_rows.hpp"
#include "bench/machine/machine.hpp"
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// What the rows of a run say about the work of their benchmarks.
struct DeclaredPoints {
  std::vector<KernelPoint> points;                            ///< in the order of the rows
  std::vector<std::pair<std::string, std::string>> failures;  ///< rows without a result, and why
  double shortest_sample = 0;                                 ///< seconds of the shortest row, all of its iterations
  std::string shortest_row;
  double sampled_seconds = 0;  ///< of all rows together
};

/// The name of a row of Google Benchmark without what only says how it was measured: axpy/1024/threads:2.
std::string point_name(const benchmark::BenchmarkReporter::Run& row);

/// Points from the rows that declare their work. The time of a point is that of one iteration of all threads: with
/// repetitions the median of their means and its interval, without them one mean and no interval.
DeclaredPoints declared_points(const KeptRows& rows, const Machine& machine);

}  // namespace roofline
