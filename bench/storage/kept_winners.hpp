#pragma once
#include <cstddef>
#include <map>
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// The fastest variant of a ceiling: its name, and its place among the variants that are tried.
struct Winner {
  std::string variant;
  std::size_t number = 0;
};
using Winners = std::map<std::string, Winner>;  ///< by the name of the ceiling

/// The winners that an earlier run of this very program found on this host; empty without such a run, or where the file
/// is damaged.
Winners kept_winners(const Machine& machine, int threads);

/// Keeps the winners of a run next to the levels in the cache folder. A cache that cannot be written costs no run.
void keep_winners(const Results& results);

}  // namespace roofline
