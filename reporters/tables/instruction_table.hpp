#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// The instruction roofline of a CPU: for rows whose instructions were counted the rate, its share of what the front
/// ends deliver, and the instruction intensity at each level (Ding and Williams, PMBS 2019, with bytes for
/// transactions). Empty where nothing counts instructions.
Table instruction_table(const Results& results);

}  // namespace roofline
