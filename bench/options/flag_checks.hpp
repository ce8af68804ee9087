#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A number from `low` to `high`; unlike CLI::Range, it refuses nan.
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

/// The flags of Google Benchmark 1.7. Later versions have more, so only the library itself can say which are unknown.
const std::vector<std::string>& benchmark_flags();

/// The error for an argument that is not a flag, with the nearest of our flags and Google Benchmark's.
std::string unknown(const std::string& argument, const CLI::App& app);

/// Refuses keys of --benchmark_context=KEY=VALUE,... that the suite itself writes, a forged fingerprint would make
/// foreign ceilings pass, and text that JSON does not take. Throws std::invalid_argument.
void require_free_context(const std::string& key_values);

/// A command line in which flags of earlier versions have their present names. Arguments after "--" belong to another
/// program.
class RenamedFlags {
 public:
  RenamedFlags(int argc, const char* const* argv) : arguments_(argv, argv + argc) {
    constexpr std::pair<std::string_view, std::string_view> renamed[] = {
        {"--check", "--sanitize"}, {"--divide", "--division-flops"}, {"--second-opinion", "--external-ceilings"}};
    for (auto& argument : arguments_) {
      if (argument == "--") break;
      const auto flag = std::string_view(argument).substr(0, argument.find('='));
      for (const auto& [then, now] : renamed) {
        if (flag != then) continue;
        notice_ = fmt::format("{} is now {}", then, now);
        argument = std::string(now) + argument.substr(then.size());
        break;
      }
    }
    for (const auto& argument : arguments_) pointers_.push_back(argument.c_str());
  }

  int count() const { return static_cast<int>(pointers_.size()); }
  const char* const* values() const { return pointers_.data(); }
  /// About the last flag of an earlier version, one line; empty: there was none.
  const std::string& notice() const { return notice_; }

 private:
  std::vector<std::string> arguments_;
  std::vector<const char*> pointers_;
  std::string notice_;
};

}  // namespace roofline
