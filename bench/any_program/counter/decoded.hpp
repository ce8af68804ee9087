// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/accesses.hpp"
#include "bench/any_program/counter/counter.hpp"

namespace roofline::any_program {

inline constexpr int longest_block = 48;

struct Decoded {
  ZydisDecodedInstruction it;
  ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

bool reads_flags(const ZydisDecodedInstruction& i);
/// Whether it sets all flags whatever they were. Shifts by zero and repetitions of nothing leave them.
bool sets_all_flags(const ZydisDecodedInstruction& i);
bool ends_block(const ZydisDecodedInstruction& i);
/// Whether it is at most a conditional jump.
bool leads_on(const Decoded& d);
/// Whether it has no operands but memory and general registers: no FLOPs.
bool is_of_integers(const Decoded& d);
/// Says why an instruction cannot be copied. The program goes on by itself from there.
Stop why_not(const Decoded& d);
/// FLOPs under a mask: their number is known only when they are made.
bool is_masked(const Decoded& d);
/// Lanes of a vector operation: bits of its vectors over bits of an element.
unsigned lanes_of(const Decoded& d);

}  // namespace roofline::any_program
