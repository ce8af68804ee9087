#include "bench/library/flags.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace roofline {
namespace {

/// The value of `--flag=value`; absent when `argument` is another one.
std::optional<std::string> value_of(std::string_view argument, std::string_view flag) {
  if (argument.substr(0, flag.size()) != flag || argument.substr(flag.size(), 1) != "=") return std::nullopt;
  return std::string(argument.substr(flag.size() + 1));
}

/// Flags of Google Benchmark that decide how rows are measured, with the names of their variables in the environment.
constexpr std::array<std::pair<const char*, const char*>, 5> own_ways{
    {{"--benchmark_repetitions", "BENCHMARK_REPETITIONS"},
     {"--benchmark_enable_random_interleaving", "BENCHMARK_ENABLE_RANDOM_INTERLEAVING"},
     {"--benchmark_min_warmup_time", "BENCHMARK_MIN_WARMUP_TIME"},
     {"--benchmark_dry_run", "BENCHMARK_DRY_RUN"},
     {"--benchmark_report_aggregates_only", "BENCHMARK_REPORT_AGGREGATES_ONLY"}}};

void read_min_time(const std::string& text, RooflineFlags& flags) {
  char* rest = nullptr;
  const double seconds = std::strtod(text.c_str(), &rest);
  // "100x" are iterations; Google Benchmark refuses bad values itself.
  if (*rest == 'x') flags.says_how_to_measure = true;
  if (*rest != 'x' && seconds > 0) flags.min_time = seconds;
}

void read_how_to_measure(std::string_view argument, RooflineFlags& flags) {
  for (const auto& [flag, variable] : own_ways)
    if (argument == flag || value_of(argument, flag)) flags.says_how_to_measure = true;
  if (const auto time = value_of(argument, "--benchmark_min_time")) read_min_time(*time, flags);
}

void from_environment(const char* variable, std::string& value) {
  if (const auto* const text = std::getenv(variable)) value = text;
}

}  // namespace

const char* const flags_help =
    "          [--roofline]                 ceilings, counters, table, plot and checks for rows that declare their "
    "Work\n"
    "          [--roofline-out=<folder>]    of run.json, roofline.svg, report.html, ...: roofline-out\n"
    "          [--ceilings=auto|quick|full|none|<run.json of an earlier run on this machine>]\n";

RooflineFlags read_flags(int argc, char** argv) {
  RooflineFlags flags;
  from_environment("BENCHMARK_FORMAT", flags.format);
  from_environment("BENCHMARK_OUT", flags.benchmark_out);
  from_environment("BENCHMARK_OUT_FORMAT", flags.benchmark_out_format);
  for (const auto& [flag, variable] : own_ways) flags.says_how_to_measure |= std::getenv(variable) != nullptr;
  if (const auto* const time = std::getenv("BENCHMARK_MIN_TIME")) read_min_time(time, flags);
  std::string alone;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    flags.command_line += (i ? " " : "") + std::string(argument);
    if (argument == "--roofline") {
      flags.roofline = true;
    } else if (const auto out = value_of(argument, "--roofline-out")) {
      flags.out = *out, alone = argument;
      if (out->empty()) throw std::invalid_argument("--roofline-out=: the name of a folder is missing");
    } else if (const auto ceilings = value_of(argument, "--ceilings")) {
      flags.ceilings = parse_ceilings_choice(*ceilings), alone = argument;
    } else {
      if (const auto format = value_of(argument, "--benchmark_format")) flags.format = *format;
      if (const auto file = value_of(argument, "--benchmark_out")) flags.benchmark_out = *file;
      if (const auto format = value_of(argument, "--benchmark_out_format")) flags.benchmark_out_format = *format;
      read_how_to_measure(argument, flags);
      if (argument == "--benchmark_list_tests" || value_of(argument, "--benchmark_list_tests") == "true")
        flags.list_tests = true;
      flags.rest.push_back(argv[i]);
    }
  }
  flags.rest.push_back(nullptr);
  if (!alone.empty() && !flags.roofline) throw std::invalid_argument(alone + " is of use only with --roofline");
  return flags;
}

}  // namespace roofline
