#include "bench/options/context_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "bench/text/clean.hpp"

namespace roofline {
namespace {

/// Of the suite and of the library, which writes its own without asking for ours.
constexpr std::string_view taken[] = {"clock_hz",
                                      "command_line",
                                      "compiler",
                                      "disturbed",
                                      "cpus",
                                      "date",
                                      "executable",
                                      "fingerprint",
                                      "host_name",
                                      "isa",
                                      "job",
                                      "largest_llc_bytes",
                                      "launcher",
                                      "library_build_type",
                                      "library_version",
                                      "load_avg",
                                      "local_rank",
                                      "local_ranks",
                                      "memory_bytes",
                                      "mhz_per_cpu",
                                      "node",
                                      "num_cpus",
                                      "numa_nodes",
                                      "rank",
                                      "ranks",
                                      "schema_version",
                                      "seed",
                                      "smt",
                                      "suite_version",
                                      "threads",
                                      "times",
                                      "transparent_huge_pages",
                                      "usable_cores",
                                      "window",
                                      "json_schema_version",
                                      "caches"};
constexpr std::string_view taken_beginnings[] = {"cpu_", "cache_", "model", "gpu", "openmp", "memory_"};

bool is_taken(std::string_view key) {
  return std::find(std::begin(taken), std::end(taken), key) != std::end(taken) ||
         std::any_of(std::begin(taken_beginnings), std::end(taken_beginnings),
                     [&](std::string_view beginning) { return key.starts_with(beginning); });
}

}  // namespace

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
