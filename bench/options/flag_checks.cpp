#include "bench/options/flag_checks.hpp"

#include <fmt/format.h>

#include <map>

#include "bench/text/words.hpp"

namespace roofline {
namespace {

std::vector<std::string> own_flags(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  for (const char* flag : {"--benchmark_enable_random_interleaving", "--benchmark_report_aggregates_only",
                           "--benchmark_display_aggregates_only", "--benchmark_color", "--benchmark_context",
                           "--benchmark_counters_tabular", "--benchmark_perf_counters"})
    flags.push_back(flag);
  return flags;
}

}  // namespace

CLI::Validator between(double low, double high) {
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return inside ? std::string() : fmt::format("'{}' is no number from {} to {}", text, low, high);
      },
      fmt::format("[{} .. {}]", low, high));
}

CLI::Validator as_seconds() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}});
}

void exclude(CLI::App& flags, const std::string& flag, const std::vector<std::string>& others) {
  for (const auto& other : others) flags.get_option(flag)->excludes(flags.get_option(other));
}

CLI::Validator not_empty() {
  return CLI::Validator([](std::string& text) { return std::string(text.empty() ? "the value is missing" : ""); }, "");
}

std::vector<int> thread_counts(const std::string& text, int cpus) {
  std::vector<int> counts;
  if (text == "sweep") {
    for (int n = 1; n < cpus; n *= 2) counts.push_back(n);
    counts.push_back(cpus);
    return counts;
  }
  for (const auto& item : CLI::detail::split(text, ',')) {
    int count = 0;
    if (text.back() == ',' || !CLI::detail::lexical_cast(item, count) || count < 1 || count > cpus)
      throw CLI::ValidationError(
          fmt::format("--threads={}: expected whole numbers from 1 to {}, the CPUs this process may use", text, cpus));
    if (!counts.empty() && count <= counts.back())
      throw CLI::ValidationError(fmt::format("--threads={}: the numbers of a sweep grow", text));
    counts.push_back(count);
  }
  return counts;
}

std::string unknown(const std::string& argument, const CLI::App& app) {
  const auto name = argument.substr(0, argument.find('='));
  const bool flag = name.rfind("-", 0) == 0;
  const auto guess = flag ? nearest(name, own_flags(app)) : std::string{};
  return fmt::format("{} '{}'{}; see --help", flag ? "unknown flag" : "unexpected argument", argument,
                     guess.empty() ? "" : ", did you mean " + guess + "?");
}

}  // namespace roofline
