#pragma once
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/model/counts.hpp"
#include "microkernels/cuda/memory/bandwidth.hpp"

namespace roofline {

/// Bytes of all arrays that a bandwidth ceiling works on: per SM for L1 and shared memory, else in all.
double cuda_working_set(const Gpu& gpu, MemoryLevel level);

/// The same for a ceiling: on a virtual GPU that nobody times, which takes seconds for a gigabyte, a little only.
double cuda_ceiling_set(const Gpu& gpu, MemoryLevel level);

/// The sweeps worth a trial. Bytes in flight must exceed rate x latency (Little's law): an H200's 4.8 TB/s for some 0.7
/// us are 3.4 MB, 25 KB per SM; 1024 threads with 4 vectors of 16 B have 64 KB in flight. L2 takes less time at a
/// higher rate, L1 some 30 cycles x 128 B.
std::vector<VectorSweep> cuda_sweeps(const Gpu& gpu, MemoryLevel level, CudaMix mix);

}  // namespace roofline
