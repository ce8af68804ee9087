#include "bench/space/buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

#include "bench/machine/cgroup.hpp"
#include "bench/space/scattered_pages.hpp"

namespace roofline {
namespace {

// Larger than any cache's way, and than the part of an address that AMD's way predictor hashes (bits 12 to 27), so that
// a buffer's place in a cache set is the same in every run.
constexpr std::size_t alignment = std::size_t{256} << 20;
// Each buffer begins 17 pages and 22 lines after the place of the one before. Arrays that begin at the same place
// alias: in the store-to-load check of many cores (bits 0 to 11) and in the way predictor of AMD's L1. A distance of
// one page is not enough for GPP (results/precision).
constexpr std::size_t skew = 17 * 4096 + 22 * 64;

std::size_t next_place() {
  static std::atomic<std::size_t> made = 0;
  return made++ * skew % alignment;
}

// Smaller buffers hardly notice where they lie.
constexpr std::size_t large = std::size_t{16} << 20;

Mapping mapping_of(std::uintptr_t data, Index n) {
  const auto end = data + static_cast<std::size_t>(n) * sizeof(double);
  return {data / huge_page * huge_page, (end + huge_page - 1) / huge_page * huge_page};
}

void unmap(Mapping mapping) {
  if (mapping.bytes() > 0 && !take_back(mapping)) munmap(reinterpret_cast<void*>(mapping.begin), mapping.bytes());
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
  const auto place = next_place();
  const auto bytes = mapping_of(place, n).end;
  // A control group has no page left where mmap() still has addresses: it would end the process.
  if (bytes - place >= large && memory_limit() > 0 && static_cast<double>(bytes - place) > 0.8 * memory_for_buffers())
    throw std::bad_alloc();
  const auto reserve = [bytes] {
    return mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void* reserved = reserve();
  if (reserved == MAP_FAILED) {
    release_kept_pages();
    reserved = reserve();
  }
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(reserved);
  const auto data = (begin + alignment - 1) / alignment * alignment + place;
  const auto used = mapping_of(data, n);
  unmap({begin, used.begin});
  unmap({used.end, begin + bytes + alignment});
  madvise(reinterpret_cast<void*>(used.begin), used.bytes(), pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  data_ = reinterpret_cast<double*>(data);
  const bool is_to_scatter = pages == Pages::huge && used.bytes() >= large && used.bytes() <= most_scattered;
  if (is_to_scatter && scatter(used))
    zero();
  else if (used.bytes() >= large && static_cast<double>(used.bytes()) > 0.8 * memory_left())
    release_kept_pages();
  // The first touch decides where a page lives, unless it is scattered; the system has filled a new one with zeros.
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
  unmap(mapping_of(reinterpret_cast<std::uintptr_t>(data_), size_));
}

void Buffer::zero() {
  constexpr Index part = Index{1} << 18;
#pragma omp parallel for schedule(static)
  for (Index begin = 0; begin < size_; begin += part) std::fill_n(data_ + begin, std::min(part, size_ - begin), 0.0);
}

double memory_for_buffers() {
  const double left = memory_left();
  return left > 0 ? left + kept_bytes() : 0;
}

void require_memory(double bytes, std::string_view what) {
  // A buffer reserves addresses for its alignment, which count where the address space is limited.
  const double available = memory_for_buffers();
  if (available > 0 && bytes > 0.8 * available)
    throw TooLarge(fmt::format("{} needs {:.1f} GB, {:.1f} GB are available: choose a smaller size", what, bytes * 1e-9,
                               available * 1e-9));
}

}  // namespace roofline
