#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// All checks, in order. A value that is not a number fails.
///
/// * bandwidth_by_level: read bandwidth falls from level to level, no stride reads DRAM faster than all of it
/// * compute_ceilings: below theory, roofs not far below, FMA the fastest
/// * dram_below_theory: DRAM's bandwidth, too
/// * bytes_by_level: bytes read fall from level to level
/// * flops_as_declared: counted FLOPs equal the kernel's own statement
/// * kernel_below_roof: no row above its roof
/// * time_grows_with_work, samples_above_timer_step, known_time: the timer
/// * intervals_hold_medians, samples_within_run: the statistics
/// * rows_verified: each has a result that its reference agrees with
std::vector<SanityCheck> sanity_checks(const Results& results);

/// The value as tables show it: "0.923", "11.5 %", "-".
std::string value_text(const SanityCheck& check);

/// Whether one of them failed.
bool any_failed(const std::vector<SanityCheck>& checks);

/// Every check of the run, for efficiency.md.
Table sanity_table(const Results& results);
/// How many passed, and those that did not: for the terminal.
Table sanity_summary(const Results& results);

}  // namespace roofline
