// Functions of the driver that programs ask for by name.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "bench/virtual_gpu/cudart/device_facts.hpp"
#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

// Most error codes of the driver are those of the runtime.
CUresult result_of(cudaError_t error) { return static_cast<CUresult>(error); }

CUcontext context() { return reinterpret_cast<CUcontext>(&process()); }

CUresult init(unsigned) { return CUDA_SUCCESS; }
CUresult version(int* result) {
  *result = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult device_count(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult device(CUdevice* result, int ordinal) {
  return ordinal == 0 ? (*result = 0, CUDA_SUCCESS) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult device_attribute(int* value, CUdevice_attribute which, CUdevice) {
  // Both interfaces number the attributes alike.
  return result_of(query([&](Process& state) {
    const auto found = attribute(state.device, static_cast<cudaDeviceAttr>(which));
    return found ? (*value = *found, cudaSuccess) : cudaErrorInvalidValue;
  }));
}
CUresult device_name(char* name, int length, CUdevice) {
  return result_of(query([&](Process& state) {
    std::snprintf(name, static_cast<std::size_t>(length), "%s", state.device.title.c_str());
    return cudaSuccess;
  }));
}
CUresult total_memory_of(std::size_t* bytes, CUdevice) {
  return result_of(query([&](Process& state) {
    *bytes = state.device.memory;
    return cudaSuccess;
  }));
}
CUresult current_context(CUcontext* result) {
  *result = context();
  return CUDA_SUCCESS;
}
CUresult set_context(CUcontext) { return CUDA_SUCCESS; }
CUresult context_device(CUdevice* result) {
  *result = 0;
  return CUDA_SUCCESS;
}
CUresult synchronise() {
  return result_of(call([](Process& state) { return state.synchronise(nullptr); }));
}
CUresult text_of_error(CUresult error, const char** text) {
  *text = error_text(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}
CUresult name_of_error(CUresult error, const char** text) {
  *text = error_name(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

struct Entry {
  const char* name;
  void* function;
};

template <class F>
Entry entry(const char* name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}

/// The virtual device's version of a function of libcuda; nullptr where there is none.
void* driver_function(const char* name) {
  static const Entry entries[] = {
      entry("cuInit", init),
      entry("cuDriverGetVersion", version),
      entry("cuDeviceGetCount", device_count),
      entry("cuDeviceGet", device),
      entry("cuDeviceGetAttribute", device_attribute),
      entry("cuDeviceGetName", device_name),
      entry("cuDeviceTotalMem", total_memory_of),
      entry("cuCtxGetCurrent", current_context),
      entry("cuCtxSetCurrent", set_context),
      entry("cuCtxGetDevice", context_device),
      entry("cuCtxSynchronize", synchronise),
      entry("cuGetErrorString", text_of_error),
      entry("cuGetErrorName", name_of_error),
  };
  for (const auto& known : entries)
    if (std::strcmp(known.name, name) == 0) return known.function;
  return nullptr;
}

cudaError_t entry_point(const char* name, void** function, cudaDriverEntryPointQueryResult* result) {
  return call([&](Process&) {
    if (!name || !function) return cudaErrorInvalidValue;
    *function = driver_function(name);
    if (result) *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *function || result ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

}  // namespace

ROOFLINE_CUDA(cudaGetDriverEntryPoint, name, function, flags, result) { return entry_point(name, function, result); }

ROOFLINE_CUDA(cudaGetDriverEntryPointByVersion, name, function, version, flags, result) {
  return entry_point(name, function, result);
}
