#include "microkernels/cuda/measured.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/cuda/device_probe.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/machine/clock.hpp"
#include "bench/model/statistics.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {

std::vector<std::uint64_t> DeviceWords::download(Index n) const {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(n));
  words_.download_at(0, reinterpret_cast<int*>(words.data()), 2 * n);
  return words;
}

double sm_clock(std::span<const std::uint64_t> clocks, int blocks) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < static_cast<std::size_t>(blocks); ++i)
    if (clocks[2 * i + 1] > 0)
      rates.push_back(1e9 * static_cast<double>(clocks[2 * i]) / static_cast<double>(clocks[2 * i + 1]));
  return rates.empty() ? 0 : median(std::move(rates));
}

int calibrate_cuda(const std::function<void(int)>& run, double seconds) {
  if (runtime::untimed()) return 2;  // more would be the same again
  // A launch within a second after a calibration still finds the device at its clock.
  static std::optional<Clock::time_point> settled;
  if (!settled || seconds_since(*settled) > 1) cuda::settled_clock(), settled = Clock::now();
  for (int n = 1;; n *= 4) {
    const auto time = cuda::event_timer([&] { run(n); });
    time(1);  // the first launch of a kernel loads it
    const double taken = time(1);
    if (taken < seconds / 8 && n < 1 << 26) continue;
    return std::max(1, static_cast<int>(n * std::clamp(seconds / taken, 0.0, 8.0)));
  }
}

PinnedMemory::PinnedMemory(std::size_t bytes) {
  void* memory = nullptr;
  cuda::require(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped),
                fmt::format("cudaHostAlloc of {:.2f} GB", 1e-9 * static_cast<double>(bytes)));
  memory_.reset(memory, [](void* p) {
    if (cuda::usable()) cudaFreeHost(p);  // it would wait for a kernel that hangs
  });
}

}  // namespace roofline
