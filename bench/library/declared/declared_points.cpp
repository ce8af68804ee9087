#include "bench/library/declared/declared_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/library/declared/declared_row.hpp"
#include "bench/library/declared/declared_traffic.hpp"

namespace roofline {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

int threads_of(const Row& row, const DeclaredWork& work) {
  return static_cast<int>(std::clamp(work.threads, 0.0, 1e6) > 0 ? std::lround(work.threads)
                                                                 : static_cast<long>(row.threads));
}

}  // namespace

std::string point_name(const Row& row) {
  auto name = row.run_name;
  name.iterations.clear(), name.repetitions.clear(), name.time_type.clear(), name.min_time.clear();
  return name.str();
}

/// Until 1.9.0 a row's time is the average over its threads of the time they took for their iterations, since then
/// their sum; the iterations are those of all threads.
double seconds_of(const Row& row) {
  const double per_iteration = row.real_accumulated_time / static_cast<double>(row.iterations);
  return ROOFLINE_BENCHMARK_VERSION < 10900 ? per_iteration * static_cast<double>(row.threads) : per_iteration;
}

KernelPoint declared_point(const Row& row, const DeclaredRow& declared, const Machine& machine) {
  KernelPoint point;
  point.name = point_name(row);
  point.family = point.name.substr(0, point.name.find('/'));
  point.threads = threads_of(row, declared.work);
  if (declared.counted) {
    const auto& kernel = counted_kernel(*declared.counted);
    point.counts = kernel.counts;
    point.declared_flops = kernel.declared_flops;
    point.fma = kernel.fma;
    return point;
  }
  if (declared.work.declares_nothing()) throw std::invalid_argument("its Work declares nothing");
  if (point.threads > static_cast<int>(machine.cpus.size()))
    throw std::invalid_argument("declares more threads than this process has CPUs");
  point.counts = declared_counts(declared.work, machine, point.threads);
  point.declared_flops = point.counts.operations.flops();
  return point;
}

void set_time(KernelPoint& point) {
  std::vector<double> seconds;
  for (const auto& sample : point.samples) seconds.push_back(sample.seconds);
  if (!seconds.empty()) point.time = median_interval(std::move(seconds));
}

}  // namespace roofline
