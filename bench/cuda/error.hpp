#pragma once
#include <driver_types.h>

#include <stdexcept>
#include <string_view>

namespace roofline::cuda {

/// Something that the GPU or its runtime refused: call, reason, device and suggestion in one line.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Error unless `status` is success; `what` is the call and its size, as in "cudaMalloc of 1.07 GB".
void require(cudaError_t status, std::string_view what);

/// Waits until all work given to the device is done, or throws Error: on an error of that work, and when it takes more
/// than `seconds`. A kernel that hangs cannot be stopped from within its process.
void finish(double seconds = 120);

/// An attribute of the current device.
int attribute(cudaDeviceAttr which);
inline int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

/// False once a kernel has hung or destroyed the context: nothing more can be done with the device in this process, and
/// calls that would wait for it must not be made.
bool usable();

}  // namespace roofline::cuda
