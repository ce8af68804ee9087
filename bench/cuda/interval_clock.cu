#include "bench/cuda/error.hpp"
#include "bench/cuda/interval_clock.hpp"

namespace roofline::cuda {
namespace {

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

IntervalClock::IntervalClock() : words_((1 + most_sms) * words_of_a_point) {
  int device = 0, sms = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  blocks_ = blocks_per_sm * sms;
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

}  // namespace roofline::cuda
