// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/system.hpp"

namespace roofline::any_program {

/// A part of the program's memory that may be executed.
struct Mapping {
  Word from, to, offset;
  std::uint32_t module;
  bool may_change;
};

/// The one of an address, or null. Reads the list again where it is not known. The caller holds the lock.
const Mapping* mapping_at(Word pc);
/// Whether a module is the program's own file.
bool is_program(std::uint32_t module);
/// Bytes that can be read as code from an address, at most `most`.
Word readable(Word pc, Word most);
/// Whether code of a range is known.
bool has_mapping(Word from, Word to);
void forget_mappings();

}  // namespace roofline::any_program
