#include "bench/library/declared_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/library/counted_kernels.hpp"
#include "bench/library/declared_row.hpp"
#include "bench/library/declared_traffic.hpp"
#include "bench/run/measure.hpp"
#include "bench/run/row_error.hpp"

namespace roofline {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

/// All repetitions of one row.
struct Samples {
  std::string name;
  DeclaredRow declared;
  int threads = 1;
  std::vector<double> seconds;  ///< of one iteration of all threads
};

/// Until 1.9.0 a row's time is the average over its threads of the time they took for their iterations, since then
/// their sum; the iterations are those of all threads.
double seconds_of(const Row& row) {
  const double per_iteration = row.real_accumulated_time / static_cast<double>(row.iterations);
  return ROOFLINE_BENCHMARK_VERSION < 10900 ? per_iteration * static_cast<double>(row.threads) : per_iteration;
}

int threads_of(const Row& row, const DeclaredWork& work) {
  return static_cast<int>(std::clamp(work.threads, 0.0, 1e6) > 0 ? std::lround(work.threads)
                                                                 : static_cast<long>(row.threads));
}

/// The median of repetitions stands for them where only aggregates are reported.
bool is_sample(const Row& row, bool only_aggregates) {
  if (row.run_type == Row::RT_Iteration) return true;
  return only_aggregates && row.aggregate_name == "median";
}

void add_group(const KeptRows::Rows& rows, std::vector<Samples>& all, DeclaredPoints& result) {
  const bool only_aggregates =
      std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.run_type == Row::RT_Aggregate; });
  for (auto row : rows) {
    if (!is_sample(row, only_aggregates)) continue;
    const auto name = point_name(row);
    if (const auto why = row_error(row); !why.empty()) {
      result.failures.emplace_back(name, why);
      continue;
    }
    const auto declared = take(row.counters);
    if (!declared) continue;
    auto known = std::find_if(all.begin(), all.end(), [&](const Samples& samples) { return samples.name == name; });
    if (known == all.end())
      known = all.insert(all.end(), {.name = name, .declared = *declared, .threads = 1, .seconds = {}});
    known->threads = threads_of(row, declared->work);
    known->seconds.push_back(seconds_of(row));
    const double sample = row.real_accumulated_time;
    result.sampled_seconds += sample;
    if (result.shortest_sample == 0 || sample < result.shortest_sample)
      result.shortest_sample = sample, result.shortest_row = name;
  }
}

KernelPoint point_of(const Samples& samples, const Machine& machine) {
  KernelPoint point;
  point.name = samples.name;
  point.family = samples.name.substr(0, samples.name.find('/'));
  point.threads = samples.threads;
  point.time = median_interval(samples.seconds);
  point.samples = static_cast<int>(samples.seconds.size());
  point.converged = point.samples == 1 || point.time.relative_half_width() <= Budget{}.target_half_width;
  if (samples.declared.counted) {
    const auto& kernel = counted_kernel(*samples.declared.counted);
    point.counts = kernel.counts;
    point.declared_flops = kernel.declared_flops;
    point.fma = kernel.fma;
  } else {
    if (samples.declared.work.declares_nothing()) throw std::invalid_argument("its Work declares nothing");
    if (samples.threads > static_cast<int>(machine.cpus.size()))
      throw std::invalid_argument("declares more threads than this process has CPUs");
    point.counts = declared_counts(samples.declared.work, machine, samples.threads);
    point.declared_flops = point.counts.operations.flops();
  }
  return point;
}

}  // namespace

std::string point_name(const Row& row) {
  auto name = row.run_name;
  name.iterations.clear(), name.repetitions.clear(), name.time_type.clear(), name.min_time.clear();
  return name.str();
}

DeclaredPoints declared_points(const KeptRows& rows, const Machine& machine) {
  DeclaredPoints result;
  std::vector<Samples> all;
  for (const auto& group : rows.groups()) add_group(group, all, result);
  for (const auto& samples : all) try {
      result.points.push_back(point_of(samples, machine));
    } catch (const std::invalid_argument& wrong) {
      result.failures.emplace_back(samples.name, wrong.what());
    }
  return result;
}

}  // namespace roofline
