#include <omp.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/machine/clock.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/model/statistics.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/memory_block.hpp"

namespace roofline {
namespace {

constexpr Index whole_pages = 4096 / sizeof(double);

/// The plain loop of loads with the widest vectors of this CPU.
const BandwidthKernel& widest_read() {
  const int widest = widest_vector_bytes();
  const BandwidthKernel* best = nullptr;
  static const auto kernels = bandwidth_kernels_of_this_cpu();
  for (const auto& kernel : kernels)
    if (kernel.mix == Mix::read && kernel.unroll == 8 && kernel.streams == 1 && kernel.lines_ahead == 0 &&
        kernel.vector_bytes <= widest && (!best || kernel.vector_bytes > best->vector_bytes))
      best = &kernel;
  if (!best) throw std::invalid_argument("no loop of vector loads was built for this CPU");
  return *best;
}

/// The data that one thread reads again and again: its set, as often as fits in a tenth of a millisecond, or the parts
/// of a large set. The median of many short times is right even if another program takes the core now and then.
class Chunks {
 public:
  /// Reads the set once, which brings it back into its cache.
  Chunks(const BandwidthKernel& kernel, double* set, Index n)
      : kernel_(kernel), set_(set), parts_(std::max<Index>(1, n / part_size)), length_(n / parts_) {
    length_ = length_ / iteration * iteration;
    kernel_.run(set_, nullptr, nullptr, n, 1);
    // A part that does not end with its set would be read from a nearer cache the second time.
    if (parts_ > 1) return;
    // Twice too long, as another program may have had the core the first time.
    for (int long_ones = 0; long_ones < 2;)
      if (time_of(0) > least_chunk)
        ++long_ones;
      else
        passes_ *= 2, long_ones = 0;
  }

  /// The median rate of all chunks that begin within so many seconds, in B/s.
  double rate(double seconds) {
    std::vector<double> times;
    const auto begin = Clock::now();
    for (Index part = 0; times.size() < 3 || seconds_since(begin) < seconds; part = (part + 1) % parts_)
      times.push_back(time_of(part));
    return static_cast<double>(length_) * sizeof(double) * static_cast<double>(passes_) / median(std::move(times));
  }

 private:
  static constexpr double least_chunk = 1e-4;  // s
  static constexpr Index part_size = (Index{2} << 20) / sizeof(double);
  static constexpr Index iteration = 64;  // doubles in an iteration of the longest of these loops

  double time_of(Index part) const {
    const auto begin = Clock::now();
    kernel_.run(set_ + part * length_, nullptr, nullptr, length_, passes_);
    return std::max(1e-9, seconds_since(begin));
  }

  const BandwidthKernel& kernel_;
  double* set_;
  Index parts_, length_;
  long passes_ = 1;
};

}  // namespace

ReadProbe read_probe(int threads, double most) {
  const auto& kernel = widest_read();
  // Whole pages and one more: sets do not begin at equal places of the last cache.
  const Index part = (static_cast<Index>(most / sizeof(double)) / whole_pages + 1) * whole_pages;
  const auto block = std::make_shared<MemoryBlock>(part * threads);
  block->data();
  return [=, &kernel](double bytes, double seconds) {
    double* const data = block->data();
    double rate = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate)
    {
      // No barrier: threads that start together stay together, and next to other programs it would cost time slices.
      Chunks chunks(kernel, data + omp_get_thread_num() * part, static_cast<Index>(bytes / sizeof(double)));
      rate += chunks.rate(seconds);
    }
    return rate;
  };
}

}  // namespace roofline
