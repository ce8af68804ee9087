// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/counter.hpp"

namespace roofline::any_program {

/// Whether a sigaction(2) concerns this process: the child of vfork changes only its own.
bool is_ours(const Slot& own, const Registers& registers);
/// The call, with our handler in place of the program's. 0: a signal comes before it.
Word change_handler(Registers& registers, Slot& own, Word after);
/// setitimer(2) and getitimer(2), for short intervals at a sixteenth of their speed.
Word slow_timer(Registers& registers, Slot& own, Word after);
/// These timers stand still while the counter copies code. Under the lock.
struct StoppedTimers {
  StoppedTimers();
  ~StoppedTimers();
};
/// The result of a call that was not made at its place.
inline Word done(Slot& own, Registers& registers, Word result, Word after) {
  own.rax = result;
  registers.r11 = registers.flags;
  return after;
}
/// The instruction pointer in the ucontext at an address.
Word& instruction_pointer(Word context);

}  // namespace roofline::any_program
