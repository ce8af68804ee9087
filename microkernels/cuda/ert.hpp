#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/space/cuda.hpp"
#include "microkernels/ert/ert.hpp"
#include "microkernels/ert/sweep.hpp"

namespace roofline {

/// Which elements the threads of a launch work on: all threads side by side over one array, every thread a grid's width
/// further each time, as ERT maps its kernel (1.1.0, 32-bit indices); or those of every block over a part of its own.
struct ErtGrid {
  std::uint32_t blocks = 1, threads = 32;  ///< threads of a block
  bool per_block = false;
  std::uint32_t n = 0;  ///< elements of the array, or of a block's part

  ROOFLINE_BODY std::uint32_t stride() const { return per_block ? threads : blocks * threads; }
  ROOFLINE_BODY std::uint32_t first(std::uint32_t block, std::uint32_t thread) const {
    return per_block ? thread : block * threads + thread;
  }
  /// The start of the array in which `first` counts.
  ROOFLINE_BODY std::uint64_t offset(std::uint32_t block) const { return per_block ? std::uint64_t{block} * n : 0; }
  std::uint64_t elements() const { return std::uint64_t{n} * (per_block ? blocks : 1u); }
};
/// Most elements of an array: indices end a stride beyond it.
inline constexpr Index ert_most_elements = 4'000'000'000;

/// `trials` sweeps over an array, one element of a thread at a time: other threads hide the latency of its chain. All
/// trials are one launch; a thread meets the same elements in each, so that none waits for another.
template <int F, ErtStep step, bool Fma>
struct CudaErt {
  static constexpr int max_threads = 1024, min_blocks = 1;
  ErtGrid grid;
  std::uint32_t trials = 1;
  int run_time_flops = F;
  double* a = nullptr;
  ErtConstants constants = {};

  ROOFLINE_BODY void operator()(const ThreadPlace& at) const {
    const int flops = F > 0 ? F : run_time_flops;
    const std::uint32_t first = grid.first(at.block.x, at.thread.x), stride = grid.stride();
    double* const part = a + grid.offset(at.block.x);
    ROOFLINE_UNROLL(1)
    for (std::uint32_t trial = 0; trial < trials; ++trial) {
      ROOFLINE_UNROLL(1)
      for (std::uint32_t i = first; i < grid.n; i += stride)
        ert_group<step, Fma, CudaLane<Loads::plain>, 1>(part + i, 0, flops, constants);
    }
  }
};
template <int F, ErtStep step, bool Fma>
CudaLaunch<CudaErt<F, step, Fma>> ert_launch(const ErtGrid& grid, std::uint32_t trials, int flops, double* a,
                                             ErtConstants constants = {}) {
  return {.grid = {grid.blocks}, .block = {grid.threads}, .kernel = {grid, trials, flops, a, constants}};
}

/// Launches a kernel on an array in device memory and returns at once. Throws as require_valid() does, and cuda::Error.
void launch_ert(const ErtKernel& kernel, const ErtGrid& grid, std::uint32_t trials, double* a);

/// Every element becomes ERT's initial value.
void fill_ert(double* a, std::uint64_t n);
/// The first element that is not exactly the initial value, in words; empty when all are. Waits for the device.
std::string first_wrong_element(const double* a, std::uint64_t n);

/// As many blocks of `threads` threads as make 2048 threads per SM: with ERT's published sweep on a V100, 163840
/// threads on 80 SMs in blocks of 64 to 1024.
ErtGrid ert_grid(const Gpu& gpu, std::uint32_t threads);

/// L1 of all SMs together and L2, from which the plateaus of a sweep get their names. Without a level whose size no
/// source says.
std::vector<CacheLevel> caches_of(const Gpu& gpu);

/// ERT's sweep over blocks x threads x working set for F = 1, 16 and 512, within about `budget_seconds`; the sets begin
/// where every thread has one element. Throws cuda::Error.
ErtResult run_cuda_ert(const Gpu& gpu, double budget_seconds = 15);

}  // namespace roofline
