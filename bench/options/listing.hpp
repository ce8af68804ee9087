#pragma once
#include <optional>
#include <string>

#include "bench/suite/suite.hpp"

namespace roofline {

/// --list: every family with its variants, FLOPs and bytes per point, and what it teaches; at most 100 columns.
std::string list_families(const Suite& suite);

/// The unit, range and defaults of a family's sizes.
std::string describe_sizes(const Registration& registration);

/// --describe: a family, a variant (its name, or the first that contains the text), "ceiling" for all of them, or one
/// by its name, "glossary" for its words; absent when there is none.
std::optional<std::string> describe(const Suite& suite, const std::string& name);

/// The one line for a name that describe() does not know, with the nearest that it does.
std::string nothing_to_describe(const Suite& suite, const std::string& name);

}  // namespace roofline
