#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/options/flag_checks.hpp"
#include "bench/options/options.hpp"

namespace roofline::cli {

/// The action of a subcommand once its command line is parsed: returns an exit code (bench/options/options.hpp). Thrown
/// errors become one line and a code: FileError 4, std::invalid_argument 2, Inconclusive 3.
using Action = std::function<int()>;

/// Nothing can be concluded from valid input: exit code 3.
struct Inconclusive : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file-scope object of this type adds a subcommand to the program: one file, no other place.
struct Subcommand {
  using Define = std::function<Action(CLI::App&)>;
  /// `define` adds flags and arguments to its part of the command line, which set those that `run` gets.
  template <class Arguments>
  Subcommand(const char* name, const char* about, void (*define)(CLI::App&, Arguments&), int (*run)(const Arguments&))
      : Subcommand(name, about, [=](CLI::App& flags) -> Action {
          const auto arguments = std::make_shared<Arguments>();
          define(flags, *arguments);
          return [=] { return run(*arguments); };
        }) {}
  /// `define` returns what runs, which must own the variables that the flags set.
  Subcommand(const char* name, const char* about, Define define);
};

struct Definition {
  std::string name, about;
  Subcommand::Define define;
};
/// All of them, by name.
std::vector<Definition> subcommands();

/// Runs the one that a command line names; its exit code.
int command(int argc, char** argv);

/// Writes a file, or without a name prints; returns exit code 0. Throws FileError.
int put(const std::string& text, const std::string& file);

/// "3%" or 0.03. Throws std::invalid_argument if the text is not a share from `low` to `high`.
double share_of(const char* flag, const std::string& text, double low, double high);

/// The files of a folder whose names end so, sorted. Throws FileError.
std::vector<std::filesystem::path> files_in(const std::string& folder, const char* extension);

/// The program that measures, next to this one.
std::filesystem::path bench_program();

}  // namespace roofline::cli
