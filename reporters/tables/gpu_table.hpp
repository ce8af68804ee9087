#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// The machine table of a run on a GPU: the device, its driver, who counted, and the host in one line.
Table gpu_table(const Results& results);

}  // namespace roofline
