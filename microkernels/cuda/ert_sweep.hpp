#pragma once
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "microkernels/cuda/ert.hpp"
#include "microkernels/ert/sweep.hpp"

namespace roofline {

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
