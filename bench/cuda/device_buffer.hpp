#pragma once
#include <utility>

#include "bench/space/buffer.hpp"

namespace roofline::cuda {

/// Device memory of n elements. Throws Error when the device has not got it.
template <class T = double>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Not initialised.
  explicit DeviceBuffer(Index n);
  /// A copy of host memory.
  DeviceBuffer(const T* host, Index n) : DeviceBuffer(n) { upload(host); }
  explicit DeviceBuffer(const Buffer& host) requires std::is_same_v<T, double>
      : DeviceBuffer(host.data(), host.size()) {}
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_);
    return *this;
  }

  T* data() const { return data_; }  ///< an address of the device
  Index size() const { return size_; }
  /// All elements; waits for the device.
  void upload(const T* host) const { upload_at(0, host, size_); }
  void download(T* host) const { download_at(0, host, size_); }
  /// n elements from `first` on.
  void upload_at(Index first, const T* host, Index n) const;
  void download_at(Index first, T* host, Index n) const;
  /// All bits zero, in the order of launches; returns at once.
  void clear() const;

 private:
  T* data_ = nullptr;
  Index size_ = 0;
};

extern template class DeviceBuffer<double>;
extern template class DeviceBuffer<int>;

}  // namespace roofline::cuda
