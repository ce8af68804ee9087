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

/// One SM at one moment.
struct Point {
  long long cycles, nanoseconds, sm;
};

constexpr int most_sms = 1024, blocks_per_sm = 4, words_of_a_point = sizeof(Point) / sizeof(int);
constexpr long long least_nanoseconds = 100'000;

__device__ Point here() {
  Point point;
  unsigned sm;
  asm volatile("mov.u64 %0, %%clock64; mov.u64 %1, %%globaltimer; mov.u32 %2, %%smid;"
               : "=l"(point.cycles), "=l"(point.nanoseconds), "=r"(sm)::"memory");
  point.sm = sm;
  return point;
}

/// Nothing, for so many cycles.
__global__ void busy(long long cycles, Point* out) {
  for (const auto start = clock64(); clock64() - start < cycles;) {
  }
  *out = here();
}

/// Into the place of each SM that a block comes to.
__global__ void note(Point* out) {
  const auto point = here();
  if (point.sm < most_sms) out[point.sm] = point;
}

Point* points(const DeviceBuffer<int>& words) { return reinterpret_cast<Point*>(words.data()); }

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

IntervalClock::IntervalClock() : words_((1 + most_sms) * words_of_a_point) {
  blocks_ = blocks_per_sm * multiprocessors();
  words_.clear();
}

void IntervalClock::begin(long long busy_cycles) const {
  busy<<<1, 1>>>(busy_cycles, points(words_));
  require(cudaGetLastError(), "launch of the kernel before a batch");
}

void IntervalClock::end() const {
  note<<<blocks_, 1>>>(points(words_) + 1);
  require(cudaGetLastError(), "launch of the kernel behind a batch");
}

double IntervalClock::hz() const {
  Point first, second;
  words_.download_at(0, reinterpret_cast<int*>(&first), words_of_a_point);
  if (first.sm >= most_sms) return 0;
  words_.download_at((1 + first.sm) * words_of_a_point, reinterpret_cast<int*>(&second), words_of_a_point);
  // An earlier interval's, where no block came there in this one.
  const auto nanoseconds = second.nanoseconds - first.nanoseconds;
  if (nanoseconds < least_nanoseconds) return 0;
  return 1e9 * static_cast<double>(second.cycles - first.cycles) / static_cast<double>(nanoseconds);
}

std::optional<RunningCode> running_code() {
  cudaFuncAttributes built{};
  if (cudaFuncGetAttributes(&built, load) == cudaSuccess) return RunningCode{built.binaryVersion, built.ptxVersion};
  return cudaGetLastError(), std::nullopt;
}

}  // namespace roofline::cuda
