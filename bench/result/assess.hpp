#pragma once
#include "bench/result/results.hpp"

namespace roofline {

/// Draws the conclusions of a run whose measurements are over: how each point is judged, the sanity checks, and
/// whether the numbers can be trusted. Reports read them and judge nothing themselves.
void assess(Results& results);

/// The same as a copy, of results that may be assessed already.
Results assessed(Results results);

}  // namespace roofline
