#pragma once
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// What `n` rounds of a point from `first` on tell, numbered from 0: its samples, probes and time. Everything else is
/// that of the whole; the assessment is for the caller to make. The rounds have samples.
KernelPoint repetition(const KernelPoint& whole, int first, int n);

}  // namespace roofline
