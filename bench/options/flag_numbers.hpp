#pragma once

#include <string>
#include <vector>

#include "bench/suite/suite.hpp"

namespace roofline {

// Values of flags. `flag` is without its dashes; std::invalid_argument says in one line what was expected.

/// "4,2,256": positive integers, as many as `names` ("NX,NY,NZ") has.
Sizes parse_sizes(const std::string& flag, const std::string& text, const std::string& names);

/// A number from `low` to `high`.
double number(const std::string& flag, const std::string& text, double low, double high);

/// A whole number from `low` to `high`; `why` ends the sentence that refuses another.
int whole(const std::string& flag, const std::string& text, int low, int high, const char* why = "");

void require_one_of(const std::string& flag, const std::string& text, const std::vector<std::string>& choices);

/// "1,2,8" as numbers of threads, each from 1 to `cpus` and larger than the one before; "sweep" as the powers of two
/// and `cpus` itself. Throws std::invalid_argument.
std::vector<int> parse_thread_counts(const std::string& text, int cpus);

}  // namespace roofline
