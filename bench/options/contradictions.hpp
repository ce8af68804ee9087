#pragma once
#include "bench/options/options.hpp"

namespace roofline {

/// Throws std::invalid_argument, one line, on flags that exclude each other or that mean nothing without another.
void refuse_contradictions(const Options& options);

}  // namespace roofline
