#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/event_timer.hpp"
#include "microkernels/cuda/ert.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "microkernels/cuda/memory/working_set.hpp"

namespace roofline {
namespace {

constexpr std::uint32_t threads_per_sm = 2048;
constexpr std::array<std::uint32_t, 5> block_sizes{64, 128, 256, 512, 1024};

ErtArrays arrays_of(int flops, const ErtGrid& grid, const cuda::DeviceBuffer<>& a, Index last) {
  ErtArrays arrays;
  arrays.flops_per_element = flops;
  arrays.launch = fmt::format("{} x {}", grid.blocks, grid.threads);
  arrays.first = std::min<Index>(Index{grid.blocks} * grid.threads, last), arrays.last = last;
  arrays.time = [=, data = a.data()](Index n, Index trials) {
    auto part = grid;
    part.n = static_cast<std::uint32_t>(n);
    return cuda::event_timer([&] { launch_ert({.flops = flops}, part, static_cast<std::uint32_t>(trials), data); })(1);
  };
  arrays.first_wrong_element = [=, data = a.data()] {
    return first_wrong_element(data, static_cast<std::uint64_t>(last));
  };
  return arrays;
}

}  // namespace

ErtGrid ert_grid(const Gpu& gpu, std::uint32_t threads) {
  return {.blocks = threads_per_sm / threads * static_cast<std::uint32_t>(gpu.sms), .threads = threads};
}

std::vector<CacheLevel> caches_of(const Gpu& gpu) {
  std::vector<CacheLevel> caches;
  const auto add = [&](MemoryLevel level, double bytes) {
    caches.push_back({.level = level, .size = static_cast<std::uint64_t>(bytes), .line = 128, .shared_by = 1});
  };
  if (const auto l1 = l1_bytes(gpu)) add(MemoryLevel::L1, gpu.sms * *l1);
  add(MemoryLevel::L2, gpu.l2_bytes);
  return caches;
}

ErtResult run_cuda_ert(const Gpu& gpu, double budget_seconds) {
  const double bytes = cuda_working_set(gpu, MemoryLevel::DRAM);
  constexpr double compute_bytes = 1 << 26;  // the FLOP rate needs no memory
  const auto elements = [](double size) {
    return std::min(static_cast<Index>(size / sizeof(double)), ert_most_elements);
  };
  const cuda::DeviceBuffer<> a(elements(bytes));
  fill_ert(a.data(), static_cast<std::uint64_t>(a.size()));
  constexpr std::array flops{1, 16, 512};
  const double share = budget_seconds / (flops.size() * block_sizes.size());
  std::vector<ErtSweep> sweeps;
  for (const int f : flops)
    for (const auto threads : block_sizes) {
      const auto arrays =
          arrays_of(f, ert_grid(gpu, threads), a, f == 512 ? elements(std::min(bytes, compute_bytes)) : a.size());
      arrays.time(arrays.first, 1);  // the first launch of a kernel loads it
      sweeps.push_back(run_ert_sweep(arrays, share));
    }
  return summarize(std::move(sweeps), caches_of(gpu));
}

}  // namespace roofline
