#pragma once
#include <cuda_runtime_api.h>

#include <optional>

#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime {

/// The answer of cudaDeviceGetAttribute. It is 0 if the virtual device lacks the feature, and empty if there is no such
/// attribute.
std::optional<int> attribute(const VirtualDevice& device, cudaDeviceAttr which);

cudaDeviceProp properties(const VirtualDevice& device);

}  // namespace roofline::runtime
