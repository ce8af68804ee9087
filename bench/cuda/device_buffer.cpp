#include "bench/cuda/device_buffer.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "bench/cuda/error.hpp"
#include "bench/cuda/launch_graph.hpp"

namespace roofline::cuda {
namespace {

std::string sized(const char* call, std::size_t bytes) {
  return bytes < 10'000'000 ? fmt::format("{} of {} B", call, bytes)
                            : fmt::format("{} of {:.2f} GB", call, 1e-9 * static_cast<double>(bytes));
}

}  // namespace

// Plain device memory: managed memory of more than the device has free can hang it.
template <class T>
DeviceBuffer<T>::DeviceBuffer(Index n) {
  const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
  void* memory = nullptr;
  if (n > 0) require(cudaMalloc(&memory, bytes), sized("cudaMalloc", bytes));
  data_ = static_cast<T*>(memory), size_ = n;
}

template <class T>
DeviceBuffer<T>::~DeviceBuffer() {
  if (usable()) cudaFree(data_);  // it would wait for a kernel that hangs
}

template <class T>
void DeviceBuffer<T>::upload_at(Index first, const T* host, Index n) const {
  const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
  finish();
  require(cudaMemcpy(data_ + first, host, bytes, cudaMemcpyHostToDevice), sized("cudaMemcpy to the device", bytes));
}

template <class T>
void DeviceBuffer<T>::download_at(Index first, T* host, Index n) const {
  const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
  finish();
  require(cudaMemcpy(host, data_ + first, bytes, cudaMemcpyDeviceToHost), sized("cudaMemcpy from the device", bytes));
}

template <class T>
void DeviceBuffer<T>::clear() const {
  const auto bytes = static_cast<std::size_t>(size_) * sizeof(T);
  require(cudaMemsetAsync(data_, 0, bytes, launch_stream()), sized("cudaMemset", bytes));
}

template class DeviceBuffer<double>;
template class DeviceBuffer<int>;

}  // namespace roofline::cuda
