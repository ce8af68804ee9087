#pragma once
#include <functional>
#include <optional>
#include <string>

#include "bench/counters/unavailable.hpp"
#include "bench/cuda/gpu.hpp"

namespace roofline {

/// The GPU that --device names, none for the CPU: `cpu`, `cuda:N`, or `auto`, which takes the first GPU there is, or of
/// several processes on this node each its own: `number` modulo the GPUs there are. Without any it is the CPU, and
/// `note` says why. Throws std::invalid_argument on any other text, DeviceUnavailable when there
/// is no such GPU.
std::optional<Gpu> choose_device(const std::string& device, const std::function<Gpus()>& find = find_gpus,
                                 std::string* note = nullptr, int number = 0);

}  // namespace roofline
