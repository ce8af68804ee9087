#include "bench/run/benchmark_flags.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "bench/run/measured_run.hpp"

namespace roofline {

std::vector<std::string> drop_benchmark_variables() {
  std::vector<std::string> said;
  for (const std::string name :
       {"FILTER", "FORMAT", "OUT", "OUT_FORMAT", "MIN_TIME", "REPETITIONS", "LIST_TESTS", "CONTEXT"}) {
    const auto variable = "BENCHMARK_" + name;
    if (!std::getenv(variable.c_str())) continue;
    ::unsetenv(variable.c_str());
    auto flag = "--benchmark_" + name;
    std::transform(flag.begin(), flag.end(), flag.begin(), [](unsigned char c) { return std::tolower(c); });
    said.push_back(fmt::format("{} in the environment is not used: {} is the flag", variable, flag));
  }
  return said;
}

int initialize_benchmark(const Options& options) {
  static std::vector<std::string> arguments = options.for_benchmark;  // the library keeps a pointer to the first
  // The library has read its variables before main() could drop them; a flag has the last word.
  arguments.insert(arguments.begin(), {"roofline_bench", "--benchmark_out=", "--benchmark_list_tests=false"});
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  // Called where the library refuses a value, also one of its environment variables, before it exits with 0.
  benchmark::Initialize(&argc, argv.data(), [] {
    std::_Exit(report_error(exit_usage, "Google Benchmark refuses a value of its flags or BENCHMARK_... variables"));
  });
  if (argc > 1) return report_error(exit_usage, fmt::format("unknown flag or value '{}'; see --help", argv[1]));
  return exit_ok;
}

}  // namespace roofline
