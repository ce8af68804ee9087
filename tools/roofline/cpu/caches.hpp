#pragma once
#include <string>
#include <vector>

#include "bench/machine/cache_level.hpp"

namespace roofline::cli::cpu_command {

/// "48K/12:1M/16:32M/16", sizes and ways from the core outwards, of one thread; or the caches of the machine of a
/// run.json, each a core's share. Empty for an empty text. Throws std::invalid_argument, FileError.
std::vector<CacheLevel> parse_caches(const std::string& text);

/// What each of some threads has of a machine's caches.
std::vector<CacheLevel> shares_of(const std::vector<CacheLevel>& caches, int threads);

}  // namespace roofline::cli::cpu_command
