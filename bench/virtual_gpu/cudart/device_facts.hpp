#pragma once
#include <cuda_runtime_api.h>

#include <optional>

#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime {

/// What cudaDeviceGetAttribute says: 0 for what the virtual device cannot do or does not have; nothing for what is no
/// attribute.
std::optional<int> attribute(const VirtualDevice& device, cudaDeviceAttr which);

cudaDeviceProp properties(const VirtualDevice& device);

}  // namespace roofline::runtime
