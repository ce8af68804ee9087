#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "bench/run/options.hpp"

namespace roofline::cli {

/// What a subcommand does once its command line is parsed: returns an exit code (bench/run/options.hpp). Thrown errors
/// become one line and a code: FileError 4, std::invalid_argument 2, Inconclusive 3.
using Action = std::function<int()>;

/// Nothing can be concluded from valid input: exit code 3.
struct Inconclusive : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file-scope object of this type adds a subcommand to the program: one file, no other place.
struct Subcommand {
  /// `define` adds flags and arguments to its part of the command line and returns what they are for. What it returns
  /// must own the variables that the flags set (a shared pointer in the closure).
  Subcommand(const char* name, const char* about, Action (*define)(CLI::App&));
};

struct Definition {
  std::string name, about;
  Action (*define)(CLI::App&) = nullptr;
};
/// All of them, by name.
std::vector<Definition> subcommands();

}  // namespace roofline::cli
