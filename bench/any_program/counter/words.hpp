// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/decoded.hpp"
#include "bench/any_program/counter/writer.hpp"

/// A copy writes down these words for its loads and stores.
namespace roofline::any_program {

/// Two registers that a block does not use, which are not RAX, RSP or, for a pointer, R12.
struct Free {
  Byte pointer = 0, address = 0;
  explicit Free(std::uint32_t used) {
    for (Byte number = 1; number < 16; ++number) {
      if ((used & 1u << number) || number == 4) continue;
      if (pointer == 0 && number != 12)
        pointer = number;
      else if (address == 0)
        address = number;
    }
    if (pointer == 0 || address == 0) pointer = address = 0;
  }
  bool are_there() const { return pointer != address; }
};

std::uint32_t registers_of(const Decoded& d);
unsigned word_count(const Decoded& d);
/// Writes down the loads and stores of an instruction, before it is done. `at`: words from the pointer.
void write_accesses(Writer& w, const Decoded& d, const Free& own, Word pc, unsigned& at);
/// Writes down, behind an instruction that compares until something differs, how much it has left. `at`: its first
/// word.
void write_rest(Writer& w, const Decoded& d, const Free& own, unsigned at);
/// The head of a block that writes down its accesses. Returns the jump that is taken where no room is left for them.
Byte* reserve_words(Writer& w, const Free& own, std::uint32_t record, unsigned words, bool flags_matter);
void wait_for_room(Writer& w, Byte* full, const Free& own, Word pc, bool flags_matter);
/// Goes on in the next part, as soon as there is room.
void next_part();

}  // namespace roofline::any_program
