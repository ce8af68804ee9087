#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// What hardware counted and what was modelled, for each kernel and quantity, with their ratio; differences beyond a
/// fifth are explained in notes where the cause is known. Without rows where nothing was counted.
Table counted_table(const Results& results);

}  // namespace roofline
