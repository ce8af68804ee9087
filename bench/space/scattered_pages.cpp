#include "bench/space/scattered_pages.hpp"

#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <vector>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

// Neighbouring places are alike over some 100 MiB, so 2 GiB are about twenty places. Small arrays need fewer.
constexpr std::size_t times_as_many = 16, at_least_as_many = 4;
constexpr double most_bytes = at_least_as_many * most_scattered;

void* address(std::uintptr_t page) { return reinterpret_cast<void*>(page); }

/// New memory at an address, or at any for 0. Returns 0 where there is none.
std::uintptr_t map(std::uintptr_t at, std::size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != 0 ? MAP_FIXED : 0);
  void* const mapped = mmap(address(at), bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  return mapped == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(mapped);
}

class Pool {
 public:
  bool draw(std::size_t number, std::vector<std::uintptr_t>& pages) {
    if (kept_.size() < at_least_as_many * number) grow(number);
    if (kept_.size() < number) return false;
    std::shuffle(kept_.begin(), kept_.end(), random_);
    const auto first = kept_.end() - static_cast<std::ptrdiff_t>(number);
    pages.assign(first, kept_.end());
    kept_.erase(first, kept_.end());
    return true;
  }
  void keep(std::uintptr_t page) { kept_.push_back(page); }
  void release() {
    for (const auto page : kept_) munmap(address(page), huge_page);
    kept_.clear();
  }
  std::size_t kept() const { return kept_.size() * huge_page; }

  std::mutex mutex;
  std::set<std::uintptr_t> filled;  ///< beginnings of mappings

 private:
  /// Less where the process is one of several on the machine, as far as its CPUs tell.
  static double may_take() {
    const auto cpus = static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    const double share = std::min(1.0, omp_get_num_procs() / cpus);
    return std::min(most_bytes, memory_left() / at_least_as_many * share);
  }

  void grow(std::size_t number) {
    const auto wanted = static_cast<double>(number * times_as_many * huge_page);
    const auto bytes = static_cast<std::size_t>(std::min(wanted, may_take())) / huge_page * huge_page;
    if (bytes < number * at_least_as_many * huge_page) return;
    const auto mapped = map(0, bytes + huge_page);
    if (mapped == 0) return;
    const auto begin = (mapped + huge_page - 1) / huge_page * huge_page;
    madvise(address(begin), bytes, MADV_HUGEPAGE);
    constexpr std::size_t small_page = 4096;
    // The system gives a page when it is touched: now, one beside the other.
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < bytes; at += small_page) *static_cast<volatile char*>(address(begin + at)) = 0;
    for (std::size_t at = 0; at < bytes; at += huge_page) kept_.push_back(begin + at);
  }

  std::vector<std::uintptr_t> kept_;
  std::mt19937 random_;  // the same draws in every run
};

Pool& pool() {
  static auto* const all = new Pool;  // outlives buffers of static duration
  return *all;
}

bool has_one_node() {
  static const bool one = !std::filesystem::exists("/sys/devices/system/node/node1");
  return one;
}

}  // namespace

bool scatter(Mapping mapping) {
  if (!has_one_node()) return false;
  const std::lock_guard lock(pool().mutex);
  std::vector<std::uintptr_t> pages;
  if (!pool().draw(mapping.bytes() / huge_page, pages)) return false;
  auto to = mapping.begin;
  bool moves = true;
  for (const auto page : pages) {
    if (moves &&
        mremap(address(page), huge_page, huge_page, MREMAP_MAYMOVE | MREMAP_FIXED, address(to)) == MAP_FAILED) {
      // The process has too many mappings. The move may have left none here; the rest stays as it was.
      moves = false;
      if (map(to, huge_page) == 0) throw std::bad_alloc();
      madvise(address(to), huge_page, MADV_HUGEPAGE);
    }
    if (!moves) pool().keep(page);
    to += huge_page;
  }
  if (moves) pool().filled.insert(mapping.begin);
  return true;
}

bool take_back(Mapping mapping) {
  const std::lock_guard lock(pool().mutex);
  if (pool().filled.erase(mapping.begin) == 0) return false;
  for (auto page = mapping.begin; page < mapping.end; page += huge_page) pool().keep(page);
  return true;
}

double kept_bytes() {
  const std::lock_guard lock(pool().mutex);
  return static_cast<double>(pool().kept());
}

void release_kept_pages() {
  const std::lock_guard lock(pool().mutex);
  pool().release();
}

}  // namespace roofline
