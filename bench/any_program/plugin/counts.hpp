// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/plugin/state.hpp"

namespace roofline::any_program {

/// Replaces the file counts.PID.json of this process, in one step: what its functions did so far, and its regions.
/// With the mutex held.
void write_counts(const State& state, bool complete);

}  // namespace roofline::any_program
