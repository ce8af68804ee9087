#pragma once
#include <string>

#include "bench/counters/perf/quantity.hpp"
#include "bench/model/counts.hpp"

namespace roofline::perf {

/// Modelled counts with what was counted: bytes of a level become the counted ones in each direction that was counted,
/// a direction that was not stays modelled and is labelled so. FLOPs stay those of the source; the counted ones stand
/// next to them. `counter` goes into the note of the traffic.
Counts with_counted(Counts modelled, const CpuValues& values, Source source, const std::string& counter);

/// Why a count differs by more than a fifth from the model: one sentence, empty where the cause is not known or there
/// is no such difference. Causes: arXiv 2409.08108 and 2311.04797 (write-allocates evaded), the vendors' manuals.
std::string difference(CpuQuantity quantity, double measured, const Counts& modelled);

}  // namespace roofline::perf
