#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "bench/model/ceiling.hpp"

namespace roofline {

/// The name of a ceiling's row, made of what it is:
/// ceiling/flops/PRECISION/OPERATION[/ISA][/chain][/warps:N][/sustained][/threads:N],
/// ceiling/bandwidth/LEVEL/MIX[/ISA][/sustained][/threads:N], ceiling/instructions/front_end/threads:N. A GPU's have no
/// number of threads; its instructions are those that schedulers issue: ceiling/instructions/issue.
std::string ceiling_name(const Ceiling& ceiling);

/// The inverse: everything of a ceiling that its name tells. Absent when it is no name of a ceiling.
std::optional<Ceiling> parse_ceiling_name(std::string_view name);

}  // namespace roofline
