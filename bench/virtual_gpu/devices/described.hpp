#pragma once
#include <string>
#include <vector>

#include "bench/machine/gpu_facts.hpp"

namespace roofline {

/// The text of a device file for a card that has none: made of what the driver tells of it and of what its compute
/// capability says. Latencies, ways and policies are those of the nearest known device. Empty where the capability is
/// not known, or the driver tells no SMs or no L2.
std::string described(const Gpu& gpu);

/// Cards without a file whose attributes are published, as their driver would tell them: "rtx4090", "l4", "a10",
/// "gh200", "b200", "h100-pcie".
const std::vector<Gpu>& published_cards();

}  // namespace roofline
