#include "bench/simulator/gpu_kernel.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <stdexcept>

namespace roofline {

DeviceMemory::DeviceMemory(std::uint64_t bytes) : size_(bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::invalid_argument(
        fmt::format("device model: the system does not reserve {} B of address space; take a smaller problem", bytes));
  base_ = static_cast<char*>(memory);
}

DeviceMemory::~DeviceMemory() { ::munmap(base_, size_); }

void* DeviceMemory::take(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = 512;
  const auto at = used_;
  used_ += (bytes + alignment - 1) / alignment * alignment;
  if (used_ > size_) throw std::logic_error(fmt::format("device memory of {} B is full", size_));
  return base_ + at;
}

}  // namespace roofline
