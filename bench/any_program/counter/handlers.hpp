// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/counter.hpp"

namespace roofline::any_program {

/// Whether a sigaction(2) concerns this process: the child of vfork changes only its own.
bool is_ours(const Slot& own, const Registers& registers);
/// The call, with our handler in place of the program's.
Word change_handler(Registers& registers, Slot& own, Word after);
/// Of the ucontext at an address.
Word& instruction_pointer(Word context);

}  // namespace roofline::any_program
