#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace roofline {

/// A number from `low` to `high`; unlike CLI::Range, nan is none.
CLI::Validator between(double low, double high);

/// A duration in seconds: 600, 90s, 10min, 1h.
CLI::Validator as_seconds();

/// The first flag is refused together with any of the others, and they with it.
void exclude(CLI::App& flags, const std::string& flag, const std::vector<std::string>& others);

/// An empty value would pass as if the flag were not there.
CLI::Validator not_empty();

/// "1,2,8" as numbers of threads, each from 1 to `cpus` and larger than the one before; "sweep" as the powers of two
/// and `cpus` itself. Throws CLI::ValidationError.
std::vector<int> thread_counts(const std::string& text, int cpus);

/// What is wrong with an argument that no flag takes, with the nearest of our flags and Google Benchmark's.
std::string unknown(const std::string& argument, const CLI::App& app);

}  // namespace roofline
