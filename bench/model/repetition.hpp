#pragma once
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// The result of `n` rounds of a point from `first` on, numbered from 0: its samples, probes and time. Everything else
/// is the same as in the whole; the caller makes the assessment. The rounds must have samples.
KernelPoint repetition(const KernelPoint& whole, int first, int n);

}  // namespace roofline
