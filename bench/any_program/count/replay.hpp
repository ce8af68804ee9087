// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/count/state.hpp"

namespace roofline::any_program {

/// Does with the model what some executions of a block did, one after another, whose words begin at `words`.
void replay(Cpu& cpu, const Block& block, const std::uint64_t* words, std::uint64_t times);

/// An access of so many bytes.
Accessed accessed_by(const Access& access, unsigned bytes);
/// How many bytes it accesses depends on a mask or on a number of repetitions.
bool varies(const MemoryOperand& operand);

}  // namespace roofline::any_program
