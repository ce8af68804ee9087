#pragma once
#include <functional>
#include <optional>
#include <string>

#include "bench/counters/metrics.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

/// What a device model says of a row, absent when it knows no such row.
using ModelledCounts = std::function<std::optional<Counts>(const std::string& row)>;

/// Counts of one row of a GPU run from what is known of it.
///
/// FLOPs are the declared ones (canonical: a division is one), their kinds those that were counted, in proportion; the
/// counted FLOPs themselves are a detail of the row. A level that was counted is hardware; one that was not is taken
/// from the model, and its label says so. `modelled` is asked only then, and for the kinds of operations when nothing
/// was counted; it may be empty. `counter` names who counted: "CUPTI", "ncu".
Counts gpu_counts(const std::string& row, std::uint64_t declared_flops, const std::optional<HardwareCounts>& counted,
                  const ModelledCounts& modelled, const std::string& counter);

/// One line when the counted FLOPs are fewer than the declared ones by more than 1 %: work was skipped or the formula
/// is wrong. More than declared is no sign of it: a division is several operations when counted. Empty: no complaint.
std::string flops_complaint(std::uint64_t declared_flops, const HardwareCounts& counted);

}  // namespace roofline
