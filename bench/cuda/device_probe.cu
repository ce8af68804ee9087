#include <cmath>
#include <cstdint>

#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/device_probe.hpp"
#include "bench/cuda/error.hpp"

namespace roofline::cuda {
namespace {

constexpr double reading_seconds = 10e-3, longest_load = 0.5, agreement = 0.01;

/// Runs for so many cycles; out: how many it were, and the nanoseconds that they took.
__global__ void load(long long cycles, long long* out) {
  long long begin, now, from, to;
  asm volatile("mov.u64 %0, %%clock64; mov.u64 %1, %%globaltimer;" : "=l"(begin), "=l"(from)::"memory");
  do asm volatile("mov.u64 %0, %%clock64; mov.u64 %1, %%globaltimer;" : "=l"(now), "=l"(to)::"memory");
  while (now - begin < cycles);
  out[0] = now - begin, out[1] = to - from;
}

struct Reading {
  double cycles, seconds;
};
Reading read_clock(const DeviceBuffer<int>& words, long long cycles) {
  load<<<1, 1>>>(cycles, reinterpret_cast<long long*>(words.data()));
  require(cudaGetLastError(), "launch of the kernel that reads the clock");
  long long out[2];
  words.download(reinterpret_cast<int*>(out));
  return {static_cast<double>(out[0]), 1e-9 * static_cast<double>(out[1])};
}

}  // namespace

double settled_clock() {
  int device = 0, khz = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  if (cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device) != cudaSuccess) cudaGetLastError();
  const auto cycles = static_cast<long long>(reading_seconds * 1e3 * (khz > 0 ? khz : 1'500'000));
  const DeviceBuffer<int> words(4);
  double last = 0;
  for (double loaded = 0; loaded < longest_load;) {
    const auto [n, seconds] = read_clock(words, cycles);
    if (!(seconds > 0)) return 0;  // a timer that stands still
    const double clock = n / seconds;
    if (last > 0 && std::abs(clock - last) <= agreement * last) return clock;
    last = clock, loaded += seconds;
  }
  return last;
}

std::optional<RunningCode> running_code() {
  cudaFuncAttributes built{};
  if (cudaFuncGetAttributes(&built, load) == cudaSuccess) return RunningCode{built.binaryVersion, built.ptxVersion};
  return cudaGetLastError(), std::nullopt;
}

}  // namespace roofline::cuda
