#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace roofline::cli {

/// A number in this range, which "nan" is not: CLI::Range takes it.
CLI::Validator between(double low, double high);
/// A duration in seconds: 600, 90s, 10min, 1h.
CLI::Validator as_seconds();
/// The first is refused together with any of the others, and they with it.
void exclude(CLI::App& flags, const std::string& flag, const std::vector<std::string>& others);

/// What a subcommand does once its command line is parsed: returns an exit code (bench/options/options.hpp). Thrown
/// errors become one line and a code: FileError 4, std::invalid_argument 2, Inconclusive 3.
using Action = std::function<int()>;

}  // namespace roofline::cli
