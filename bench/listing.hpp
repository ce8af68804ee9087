#pragma once
#include <optional>
#include <string>

#include "bench/suite.hpp"

namespace roofline {

/// --list: every family with its variants, FLOPs and bytes per point, and what it teaches; at most 100 columns.
std::string list_families(const Suite& suite);

/// --describe: a family, a variant (its name, or the first that contains the text), or a ceiling; absent when there is
/// none.
std::optional<std::string> describe(const Suite& suite, const std::string& name);

}  // namespace roofline
