#pragma once
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// What `n` rounds of a point from `first` on tell, numbered from 0: its samples, probes and time. Everything else is
/// that of the whole; the assessment is for the caller to make. The rounds have samples.
KernelPoint repetition(const KernelPoint& whole, int first, int n);

/// The time of a launch by its samples, which come in the order of their rounds: the median of all, and the range of
/// the rounds' medians.
Interval time_of(const std::vector<Sample>& samples);

}  // namespace roofline
