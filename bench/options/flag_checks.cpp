#include "bench/options/flag_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "bench/text/clean.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

std::vector<std::string> own_flags(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  flags.insert(flags.end(), benchmark_flags().begin(), benchmark_flags().end());
  return flags;
}

/// Flags that the suite shares with the library, which writes its own help without asking for ours.
constexpr std::string_view taken =
    " caches clock_hz command_line compiler cpus date disturbed executable fingerprint host_name isa job "
    "json_schema_version largest_llc_bytes launcher library_build_type library_version load_avg local_rank "
    "local_ranks memory_bytes mhz_per_cpu node num_cpus numa_nodes rank ranks schema_version seed smt "
    "suite_version threads times transparent_huge_pages usable_cores window ";
constexpr std::string_view taken_beginnings[] = {"cpu_", "cache_", "model", "gpu", "openmp", "memory_"};

bool is_taken(std::string_view key) {
  return taken.find(fmt::format(" {} ", key)) != taken.npos ||
         std::any_of(std::begin(taken_beginnings), std::end(taken_beginnings),
                     [&](std::string_view beginning) { return key.starts_with(beginning); });
}

}  // namespace

CLI::Validator between(double low, double high) {
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return inside ? std::string() : fmt::format("'{}' is not a number from {} to {}", text, low, high);
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

const std::vector<std::string>& benchmark_flags() {
  static const std::vector<std::string> all{"--benchmark_filter",
                                            "--benchmark_format",
                                            "--benchmark_out",
                                            "--benchmark_out_format",
                                            "--benchmark_min_time",
                                            "--benchmark_repetitions",
                                            "--benchmark_list_tests",
                                            "--benchmark_time_unit",
                                            "--benchmark_enable_random_interleaving",
                                            "--benchmark_report_aggregates_only",
                                            "--benchmark_display_aggregates_only",
                                            "--benchmark_color",
                                            "--benchmark_context",
                                            "--benchmark_counters_tabular",
                                            "--benchmark_perf_counters"};
  return all;
}

std::string unknown(const std::string& argument, const CLI::App& app) {
  const auto name = argument.substr(0, argument.find('='));
  const bool flag = name.rfind("-", 0) == 0;
  return fmt::format("{} '{}'{}; see --help", flag ? "unknown flag" : "unexpected argument", argument,
                     flag ? did_you_mean(name, own_flags(app)) : "");
}

void require_free_context(const std::string& key_values) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("--benchmark_context={}: {}", clean(key_values), why));
  };
  if (clean(key_values) != key_values) refuse("control characters, or bytes that are not UTF-8");
  std::set<std::string> seen;
  std::istringstream pairs(key_values);
  for (std::string pair; std::getline(pairs, pair, ',');) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) refuse("expected KEY=VALUE");
    const auto key = pair.substr(0, equals);
    if (key.find_first_of("\"\\") != std::string::npos) refuse("a key has quotes or backslashes");
    if (is_taken(key)) refuse(fmt::format("the suite itself writes '{}'; choose another key", key));
    if (!seen.insert(key).second) refuse(fmt::format("'{}' is given twice", key));
  }
}

}  // namespace roofline
