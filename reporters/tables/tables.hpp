// Tables of a run: each a function of it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// The machine that the numbers belong to, the number of threads, and the origin of the ceilings; for a run on a GPU
/// the device, its driver, the source of counts and the host; for a modelled run the device. Unknown facts are "-".
Table machine_table(const Results& results);

/// "allocate their lines (write 0.98 of update, at its bytes)".
std::string describe(const StorePolicy& stores);

/// Compute ceilings in GFLOP/s with interval, theoretical value and winning variant, grouped by precision and threads.
Table compute_ceiling_table(const Results& results);

/// Bandwidth of levels x access mixes in GB/s for all threads, the roof of each level, its interval and ridge point.
Table bandwidth_table(const Results& results);

/// Every other bandwidth ceiling as a row: strided, random, other thread counts.
Table other_bandwidth_table(const Results& results);

/// One row per kernel point, grouped by family: time, rates, intensities, bound and shares. Percentages are never
/// clamped; a share that contradicts the model has the mark `!`, which a note explains.
Table kernel_table(const Results& results);

/// Problems and omissions: failures, warnings, an interruption, and the rows that the default run leaves out.
std::vector<Table> remarks(const Results& results);

/// Hardware counts and modelled counts for each kernel and quantity, with their ratio; differences beyond a fifth are
/// explained in notes if the cause is known. Without rows if nothing was counted.
Table counted_table(const Results& results);

/// The part of the FMA peak that the mix of instructions leaves: alpha, beta = (1 + alpha) / 2 (NERSC), the measured
/// ceiling of the mix, and the rate against each; next to them rate / (alpha peak), the convention of a talk at GTC
/// 2020, which is not an upper bound. Kernels without FLOPs, or of unknown kinds, are left out.
Table fma_mix_table(const Results& results);

/// The instruction roofline of a CPU: for rows whose instructions were counted the rate, its share of what the front
/// ends deliver, and the instruction intensity at each level (Ding and Williams, PMBS 2019, with bytes for
/// transactions). Empty where nothing counts instructions.
Table instruction_table(const Results& results);

/// Which tuning this machine gave each tuned row, and what that is worth: by how much a launch of the first tuning, the
/// one that the row without /tuned has, took longer in the trial. Empty without such rows.
Table tuned_table(const Results& results);

/// ERT's sweep, next to the ceilings: GB/s and GFLOP/s over the working set, one row per factor of four, and the
/// plateaus that ERT's post-processing finds, named from the cache geometry. Empty when there was no sweep.
Table ert_table(const Results& results);

/// One row per point of a modelled run, grouped by family: the least possible time and what it follows from. Bytes that
/// the model knows as an interval are shown as one: "27.4..31.6 MB".
Table modelled_table(const Results& results);

/// A roof or a kernel over the numbers of threads of a sweep.
struct Scaling {
  std::string name;
  const char* unit = "GFLOP/s";               ///< or GB/s
  std::optional<MemoryLevel> roof = {};       ///< the level whose bandwidth this is
  std::vector<std::optional<double>> rates;   ///< FLOP/s or B/s, one for each run
  std::vector<std::optional<double>> shares;  ///< of the roof of the kernel's own mix, 0..1

  /// The run with the highest rate; among equal ones the run with the fewest threads. Absent if no run has a rate.
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
