// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/any_program/plugin/instruction.hpp"

struct Dwfl_Module;

namespace roofline::any_program {

/// A stretch of a function's code that is counted as a row of its own; addresses of this process.
struct Part {
  std::uintptr_t from = 0, to = 0;
  std::string function;  ///< that was inlined there; empty: it is of the function itself
  std::string source;    ///< "solver.c:34" of that function
  std::string loop;      ///< "/loop@34"
};

/// "solver.c:34" of an instruction, without the folder; empty where the file has no line table.
std::string line_at(Dwfl_Module* module, std::uintptr_t address);

/// What was inlined into the function that has an instruction, the innermost first. Empty without debug information.
std::vector<Part> inlined_parts(Dwfl_Module* module, std::uintptr_t address);

/// The loops of a function, the innermost first: what a jump backwards encloses, called by the line of that jump,
/// which compilers give that of the loop's head.
std::vector<Part> loop_parts(Dwfl_Module* module, Decoder& decoder, std::uintptr_t from, std::uintptr_t to);

}  // namespace roofline::any_program
