#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/model/counts.hpp"
#include "bench/suite/suite.hpp"
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

/// Ceilings of a mix, apart from those of whole sweeps.
struct CudaMemoryCeiling {
  Mix mix;
  double set_bytes;
  std::vector<std::function<CeilingWork()>> make;
};

/// Reads of 8 B from DRAM that use a part of what moves; rates are of the sectors of 32 B that move: stride:N (in
/// doubles), random, chase (one thread in all, every load waits for the one before).
std::vector<CudaMemoryCeiling> cuda_scattered(const Gpu& gpu);

/// Copies between page-locked memory of the host and that of the device, by the device's copy engines: h2d, d2h,
/// where there are two of them both_ways at once.
std::vector<CudaMemoryCeiling> cuda_transfers(const Gpu& gpu);

/// Bytes per second and direction between host and device: the PCI Express link's (pcie_link.hpp). Absent where the
/// system does not say, and where the GPU reads the host's page tables, over a faster link of another kind
/// (NVLink-C2C).
std::optional<double> host_link_rate(const Gpu& gpu);

}  // namespace roofline
