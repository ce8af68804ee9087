#include "bench/cuda/error.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <thread>

namespace roofline::cuda {
namespace {

std::string lost;  ///< why the device cannot be used any more; empty while it can

std::string device_name() {
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return cudaGetLastError(), "the GPU";
  char bus[32] = {};
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess) cudaGetLastError(), *bus = 0;
  return fmt::format("cuda:{} ({}, {})", device, properties.name, bus);
}

/// Errors after which every call fails: the context is gone.
bool is_fatal(cudaError_t status) {
  constexpr cudaError_t fatal[] = {
    cudaErrorIllegalAddress,
    cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace,
    cudaErrorInvalidPc,
    cudaErrorIllegalInstruction,
    cudaErrorHardwareStackError,
    cudaErrorLaunchFailure,
    cudaErrorLaunchTimeout,
    cudaErrorECCUncorrectable,
    cudaErrorAssert,
    cudaErrorNvlinkUncorrectable,
    cudaErrorContextIsDestroyed,
    cudaErrorMpsClientTerminated,
    cudaErrorExternalDevice,
#if CUDART_VERSION >= 12080
    cudaErrorContained,
    cudaErrorTensorMemoryLeak,
#endif
    cudaErrorUnknown
  };
  return std::find(std::begin(fatal), std::end(fatal), status) != std::end(fatal);
}

std::string suggestion(cudaError_t status) {
  std::size_t free = 0, total = 0;
  switch (status) {
    case cudaErrorMemoryAllocation:
      cudaGetLastError();
      if (cudaMemGetInfo(&free, &total) != cudaSuccess) return "choose a smaller problem";
      return fmt::format("{:.2f} of {:.2f} GB are free; choose a smaller problem (see --describe) or another device",
                         1e-9 * static_cast<double>(free), 1e-9 * static_cast<double>(total));
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidKernelImage:
      return "build for it: cmake --preset release -DROOFLINE_CUDA_ARCHITECTURES=native";
    case cudaErrorDevicesUnavailable:
      return "another process has it for itself (nvidia-smi: compute mode), use --device=cuda:N or --device=cpu";
    case cudaErrorLaunchTimeout:
      return "a display driver stopped the kernel; use a device without a display or a smaller problem";
    case cudaErrorECCUncorrectable:
      return "its memory is faulty (nvidia-smi -q -d ECC)";
    default:
      if (is_fatal(status)) return "this run makes no further use of it; compute-sanitizer finds the access";
      return "see nvidia-smi";
  }
}

}  // namespace

bool usable() { return lost.empty(); }

void require(cudaError_t status, std::string_view what) {
  if (!usable()) throw Error(lost);
  if (status == cudaSuccess) return;
  cudaGetLastError();  // errors that are not fatal stay until they are read
  const auto line =
      fmt::format("{} on {}: {}; {}", what, device_name(), cudaGetErrorString(status), suggestion(status));
  if (is_fatal(status)) lost = "the GPU was lost earlier: " + line;
  throw Error(line);
}

void finish(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  for (int polls = 0;; ++polls) {
    const auto status = cudaStreamQuery(nullptr);
    if (status != cudaErrorNotReady) return require(status, "a kernel");
    cudaGetLastError();  // "not ready" is kept as an error: the next launch would be blamed for it
    const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (waited > seconds) {
      const auto line = fmt::format("a kernel on {} has not ended after {:.0f} s; this run makes no further use of it",
                                    device_name(), waited);
      lost = "the GPU was lost earlier: " + line;
      throw Error(line);
    }
    // The device's clock measures; this one only waits.
    if (polls > 1000) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace roofline::cuda
