#pragma once
#include "bench/result/results.hpp"

namespace roofline {

/// Draws the conclusions of a run whose measurements are over: how each point is judged, the physics checks, and
/// whether the numbers can be trusted. Reports read them and judge nothing themselves.
void conclude(Results& results);

/// The same as a copy, of results that may be concluded already.
Results concluded(Results results);

}  // namespace roofline
