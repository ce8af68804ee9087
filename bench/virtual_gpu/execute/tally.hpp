// Puts together what host threads counted and found.
#pragma once

#include <vector>

#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/execute/thread_block.hpp"

namespace roofline::ptx {

/// Counts and findings of a launch; instructions where wanted.
Execution tally(const Program& program, const std::vector<Worker>& workers, bool per_instruction);

}  // namespace roofline::ptx
