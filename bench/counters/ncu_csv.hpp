#pragma once
#include <map>
#include <string>

#include "bench/counters/metrics.hpp"

namespace roofline {

/// Counters that Nsight Compute collected, by the name of the suite's row.
using ImportedCounters = std::map<std::string, MetricValues>;

/// Reads what `ncu --csv` prints, in both shapes: --page raw (one column per metric, units in the second row) and the
/// details page (one row per metric). Lines before the table are skipped.
///
/// Which kernel belongs to which row: the kernel's name must be the row's name. This program puts an NVTX range with
/// the row's name around one launch and lets profilers see that launch only, so that
///
///   ncu --profile-from-start off --nvtx --print-nvtx-rename kernel --csv --page raw --metrics ... roofline_bench ...
///
/// prints row names as kernel names. Kernels of one name are added up: they are one launch of the row. Kernels with
/// other names are left alone.
///
/// Values may have thousands separators and scaled units; "n/a" and unknown metrics are not counted. `file` is named in
/// errors. Throws FileError, one line with the place.
ImportedCounters parse_ncu_csv(const std::string& text, const std::string& file);

/// The --metrics of the ncu command above for the metrics of a chip; without them the first name of each, which most
/// chips have. ncu refuses a list with a name that its chip has not.
std::string ncu_metrics(const std::vector<ChosenMetric>& of_chip);

/// --describe counters: what is counted on a GPU, how the counters are tested, and the ncu command.
std::string describe_counters(const std::vector<ChosenMetric>& of_chip);

}  // namespace roofline
