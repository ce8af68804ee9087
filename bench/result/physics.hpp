#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// All checks, in order. A value that is not a number fails.
///
/// P1 read bandwidth falls from level to level and no stride reads DRAM faster than all of it, P2 compute ceilings
/// below theory, roofs not far below, FMA the fastest, P3 the same of DRAM, P4 bytes read fall from level to level, P5
/// counted FLOPs are the declared ones, P6 no kernel above its roof, P8 time grows with work, P11 samples far above the
/// timer's step, P13 intervals hold their medians, P14 sampled time within the run's, P15 verified, P16 a known time is
/// measured right.
std::vector<PhysicsCheck> physics_checks(const Results& results);

/// The value as tables show it: "0.923", "11.5 %", "-".
std::string value_text(const PhysicsCheck& check);

/// Whether one of them failed.
bool any_failed(const std::vector<PhysicsCheck>& checks);

/// Every check of the run, for efficiency.md.
Table physics_table(const Results& results);
/// How many passed, and those that did not: for the terminal.
Table physics_summary(const Results& results);

}  // namespace roofline
