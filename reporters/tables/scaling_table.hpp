#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// A roof or a kernel over the numbers of threads of a sweep.
struct Scaling {
  std::string name;
  const char* unit = "GFLOP/s";               ///< or GB/s
  std::optional<MemoryLevel> roof = {};       ///< the level whose bandwidth this is
  std::vector<std::optional<double>> rates;   ///< FLOP/s or B/s, one for each run
  std::vector<std::optional<double>> shares;  ///< of the roof of the kernel's own mix, 0..1

  /// Which run has the highest rate; of equal ones that with the fewest threads. Absent where no run has a rate.
  std::optional<std::size_t> best() const;
};

/// Roofs (FP64 FMA, each level's bandwidth) and kernels of runs that differ in their threads, in the order of the last
/// run. A kernel without FLOPs has the bytes of its outermost level.
std::vector<Scaling> scaling_of(const std::vector<Results>& runs);

/// Rates for each number of threads, the number with the best rate, and speed-up / threads there.
Table scaling_table(const std::vector<Results>& runs);
/// The share of the roof of its mix that each kernel reaches with each number of threads.
Table scaling_efficiency_table(const std::vector<Results>& runs);

}  // namespace roofline
