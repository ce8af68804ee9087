#include "bench/space/buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

// Larger than any cache's way, so that a buffer's place in a cache set is the same in every run.
constexpr std::size_t alignment = std::size_t{64} << 20;
constexpr std::size_t huge_page = std::size_t{2} << 20, large = std::size_t{16} << 20;

std::size_t bytes_of(Index n) {
  const auto bytes = static_cast<std::size_t>(n) * sizeof(double);
  return (bytes + huge_page - 1) / huge_page * huge_page;
}

/// By age. Buffers are made and dropped a few times a second at most.
struct Registry {
  std::mutex mutex;
  std::vector<std::span<double>> buffers;
};
Registry& registry() {
  static auto* const all = new Registry;  // outlives buffers of static duration
  return *all;
}

}  // namespace

std::vector<std::span<double>> live_buffers() {
  const std::lock_guard lock(registry().mutex);
  return registry().buffers;
}

Buffer::Buffer(Index n, Pages pages) : size_(n) {
  const auto bytes = bytes_of(n);
  // A control group has no page left where mmap() still has addresses: it would end the process.
  if (bytes >= large && memory_limit() > 0 && static_cast<double>(bytes) > 0.8 * memory_left()) throw std::bad_alloc();
  void* const reserved =
      mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(reserved);
  const auto aligned = (begin + alignment - 1) / alignment * alignment;
  if (aligned > begin) munmap(reserved, aligned - begin);
  munmap(reinterpret_cast<void*>(aligned + bytes), begin + alignment - aligned);
  data_ = reinterpret_cast<double*>(aligned);
  madvise(data_, bytes, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  // The first touch decides where a page lives; the kernel has filled it with zeros.
  constexpr Index doubles_per_page = 4096 / sizeof(double);
#pragma omp parallel for schedule(static)
  for (Index page = 0; page < (n + doubles_per_page - 1) / doubles_per_page; ++page)
    static_cast<volatile double*>(data_)[page * doubles_per_page] = 0.0;
  const std::lock_guard lock(registry().mutex);
  registry().buffers.emplace_back(data_, static_cast<std::size_t>(n));
}

Buffer::~Buffer() {
  if (!data_) return;
  {
    const std::lock_guard lock(registry().mutex);
    std::erase_if(registry().buffers, [&](const auto& buffer) { return buffer.data() == data_; });
  }
  munmap(data_, bytes_of(size_));
}

void Buffer::zero() {
  constexpr Index part = Index{1} << 18;
#pragma omp parallel for schedule(static)
  for (Index begin = 0; begin < size_; begin += part) std::fill_n(data_ + begin, std::min(part, size_ - begin), 0.0);
}

void require_memory(double bytes, std::string_view what) {
  // A buffer reserves addresses for its alignment, which count where the address space is limited.
  const double available = memory_left();
  if (available > 0 && bytes > 0.8 * available)
    throw TooLarge(fmt::format("{} needs {:.1f} GB, {:.1f} GB are available: choose a smaller size", what, bytes * 1e-9,
                               available * 1e-9));
}

}  // namespace roofline
