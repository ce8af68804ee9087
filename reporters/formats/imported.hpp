#pragma once
#include <map>
#include <string>

#include "bench/run/results.hpp"

/// What every reader of a foreign file makes: ceilings and points that say where they are from.
namespace roofline {

/// ASCII letters only.
std::string lower_case(std::string text);

/// The level that a file's name means: L1, L2, L3; HBM, MCDRAM, DDR, global and the like are DRAM. Other names go by
/// their rank among `count`, near to far, the last one is DRAM.
MemoryLevel level_named(const std::string& name, std::size_t rank, std::size_t count);

/// A bandwidth in B/s; `label` is what the file calls it. Not measured here.
Ceiling imported_bandwidth(MemoryLevel level, const std::string& label, double rate, const std::string& origin);

/// A compute ceiling in FLOP/s. "no-FMA" and the like is the ceiling without FMA; "FP32", "single" and the like name a
/// precision.
Ceiling imported_compute(const std::string& label, double rate, const std::string& origin);

/// A point of which a file knows FLOP/s and intensities: one second of it, which nobody measured,
/// and operations of unknown kinds.
KernelPoint imported_point(const std::string& name, double flop_rate, const std::map<MemoryLevel, double>& intensity);

}  // namespace roofline
