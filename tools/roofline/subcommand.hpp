#pragma once
#include <string>
#include <vector>

#include "bench/options/options.hpp"
#include "tools/roofline/flags.hpp"

namespace roofline::cli {

/// Nothing can be concluded from valid input: exit code 3.
struct Inconclusive : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file-scope object of this type adds a subcommand to the program: one file, no other place.
struct Subcommand {
  /// `define` adds flags and arguments to its part of the command line and returns what they are for. What it returns
  /// must own the variables that the flags set (a shared pointer in the closure).
  Subcommand(const char* name, const char* about, Action (*define)(Flags&));
};

struct Definition {
  std::string name, about;
  Action (*define)(Flags&) = nullptr;
};
/// All of them, by name.
std::vector<Definition> subcommands();

}  // namespace roofline::cli
