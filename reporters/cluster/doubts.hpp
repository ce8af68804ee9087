#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "reporters/cluster/fleet.hpp"
#include "reporters/cluster/outliers.hpp"

namespace roofline::cluster {

/// Why a run tells nothing of its node: it says so itself, or others took as much of it as the least loss that is told.
/// Empty: it does.
std::string why_disturbed(const Fleet::Run& run, const Limits& limits);

/// How many rows this run has of those that are judged.
std::ptrdiff_t measured_rows(const Deviations& run);

/// Why a node without a finding is not sound: a loss would not have been a finding. `told_from` is the least share by
/// part that would be told; `rows` are judged. Empty: the node is sound.
std::string why_not_comparable(const std::array<std::optional<double>, all_parts.size()>& told_from,
                               const Deviations& run, std::ptrdiff_t rows);

}  // namespace roofline::cluster
