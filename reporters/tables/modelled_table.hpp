#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// One row per point of a modelled run, grouped by family: the least possible time and what it follows from. Bytes that
/// the model knows as an interval are shown as one: "27.4..31.6 MB".
Table modelled_table(const Results& results);

/// Rows of the machine table that describe the device of a modelled run.
Table modelled_device_table(const Results& results);

}  // namespace roofline
