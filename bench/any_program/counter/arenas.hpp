// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/counter.hpp"

namespace roofline::any_program {

inline constexpr Word largest_copy = 16384;

/// A place for copies, within reach of the data that the code names by its distance.
struct Arena {
  Word base, used;
  std::uint32_t blocks;
  std::uint32_t* list() const;  ///< the blocks whose copies are here, by address
};
/// The one for the code at an address, with room for a copy. Null: there is no memory.
Arena* arena_near(Word pc);

}  // namespace roofline::any_program
