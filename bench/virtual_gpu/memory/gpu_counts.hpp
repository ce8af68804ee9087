#pragma once
#include <optional>
#include <string>

#include "bench/counters/counter_source.hpp"
#include "bench/counters/metrics.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

/// Counts of one row of a GPU run from what is known of it.
///
/// FLOPs are those that the work declares (canonical: a division is one), their kinds those that were counted: exactly
/// where the declared FLOPs and those that nvcc expands divisions to are the counted ones, else in proportion. The
/// counted FLOPs themselves are a detail of the row. Where no kinds were counted, as in launches that instrumented code
/// would take too long for, they are those of the compiled code, which the model executes. A level that was counted is
/// hardware; one that was not is taken from the model, and its label says so. `modelled` is asked only then; it may be
/// null. Figures of the profile that were not counted are the model's, where it was asked. `counter` names who counted:
/// "CUPTI", "ncu".
Counts gpu_counts(const std::string& row, const Workload& work, const std::optional<HardwareCounts>& counted,
                  CounterSource* modelled, const std::string& counter);

/// One line when the counted FLOPs are more than 1 % below the declared ones, because then work was skipped or the
/// formula is wrong. Counting more than was declared is not an error: a division is several operations when counted.
/// Empty if there is nothing to report.
std::string flops_complaint(std::uint64_t declared_flops, const HardwareCounts& counted);

}  // namespace roofline
