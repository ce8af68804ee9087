#include <omp.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "bench/machine/core_units.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/cpu/memory_block.hpp"

namespace roofline {
namespace {

constexpr Index whole_pages = 4096 / sizeof(double);

/// The plain loop of loads with the widest vectors of this CPU.
const BandwidthKernel& widest_read() {
  const int widest = widest_vector_bytes();
  const BandwidthKernel* best = nullptr;
  const auto look = [&](BandwidthKernels kernels) {
    for (const auto& kernel : kernels)
      if (kernel.mix == Mix::read && kernel.unroll == 8 && kernel.streams == 1 && kernel.vector_bytes <= widest &&
          (!best || kernel.vector_bytes > best->vector_bytes))
        best = &kernel;
  };
  look(bandwidth_baseline());
  if (widest >= 32) look(bandwidth_avx2());
  if (widest >= 64) look(bandwidth_avx512());
  if (widest == 32) look(bandwidth_sve256());
  if (widest == 64) look(bandwidth_sve512());
  if (!best) throw std::invalid_argument("no loop of vector loads was built for this CPU");
  return *best;
}

/// Seconds in which every thread reads its set `passes` times, after a pass that brings the data back.
double seconds_of(const BandwidthKernel& kernel, double* data, Index part, int threads, Index n, long passes) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin, end;
#pragma omp parallel num_threads(threads)
  {
    double* const set = data + omp_get_thread_num() * part;
    kernel.run(set, nullptr, nullptr, n, 1);
#pragma omp barrier
#pragma omp master
    begin = Clock::now();
#pragma omp barrier
    kernel.run(set, nullptr, nullptr, n, passes);
#pragma omp barrier
#pragma omp master
    end = Clock::now();
  }
  return std::max(1e-9, std::chrono::duration<double>(end - begin).count());
}

}  // namespace

ReadProbe read_probe(int threads, double most) {
  const auto& kernel = widest_read();
  // Whole pages and one more: sets do not begin at equal places of the last cache.
  const Index part = (static_cast<Index>(most / sizeof(double)) / whole_pages + 1) * whole_pages;
  const auto block = std::make_shared<MemoryBlock>(part * threads);
  block->data();
  return [=, &kernel](double bytes, double seconds) {
    const auto n = static_cast<Index>(bytes / sizeof(double));
    long passes = 1;
    double took = seconds_of(kernel, block->data(), part, threads, n, passes);
    for (int attempt = 0; attempt < 6 && took < seconds / 2; ++attempt) {
      passes = std::max(passes + 1, static_cast<long>(static_cast<double>(passes) * std::min(64.0, seconds / took)));
      took = seconds_of(kernel, block->data(), part, threads, n, passes);
    }
    return static_cast<double>(threads) * bytes * static_cast<double>(passes) / took;
  };
}

}  // namespace roofline
