#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/metrics.hpp"

namespace roofline {

/// One launch of a kernel as Nsight Compute prints it, its metrics by name in bytes, seconds and counts.
struct NcuLaunch {
  std::string kernel, shape;  ///< shape of block and grid
  std::string capability;     ///< "8.0"
  std::string device;         ///< "device 0", of several hosts "device 0 of gpu01"; empty: the file does not say
  std::string process;        ///< of its host; other runs that wrote tables to the file are separate processes too
  std::map<std::string, double> values;

  /// A metric, also under its name for the whole SM, and one with a roll-up ".sum" also from the rate of it that was
  /// collected in its place (per second or per cycle, with the time or the cycles). Absent where there is none.
  std::optional<double> operator[](const std::string& metric) const;
  /// By the duration, or else by cycles and clock.
  std::optional<double> seconds() const;
  MetricValues metrics() const;
  bool uses_tensors() const;  ///< by any metric that counts their instructions or operations
};

/// Reads the output of `ncu --csv` in both shapes: --page raw (one column per metric, units in the second row) and the
/// details page (one row per metric). Numbers may be in any language and units scaled; "n/a" and unused metrics are
/// left out. Assumptions are added to `notes`. Throws FileError, one line with the place.
std::vector<NcuLaunch> read_ncu(const std::string& text, const std::string& file, char decimal,
                                std::vector<std::string>& notes);

/// Counters that Nsight Compute collected, by the name of the suite's row.
using ImportedCounters = std::map<std::string, MetricValues>;

/// The counters of this program's own rows.
///
/// Which kernel belongs to which row: the kernel's name must be the row's name. This program puts an NVTX range with
/// the row's name around one launch and lets profilers see that launch only, so that
///
///   ncu --profile-from-start off --nvtx --print-nvtx-rename kernel --csv --page raw --metrics ... roofline_bench ...
///
/// prints row names as kernel names. Kernels of one name are added up: they are one launch of the row. Kernels with
/// other names are left alone. Throws FileError as read_ncu() does, and where a row is of several processes, devices or
/// runs.
ImportedCounters parse_ncu_csv(const std::string& text, const std::string& file);

/// The --metrics of the ncu command above for the metrics of a chip; without them the first name of each, which most
/// chips have. ncu refuses a list with a name that its chip has not.
std::string ncu_metrics(const std::vector<ChosenMetric>& of_chip);

/// The text of --describe counters: the metrics of a GPU, the test of the counters, and the ncu command.
std::string describe_counters(const std::vector<ChosenMetric>& of_chip);

}  // namespace roofline
