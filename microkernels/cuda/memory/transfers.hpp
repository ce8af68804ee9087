#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Copies between page-locked memory of the host and that of the device, by the device's copy engines: h2d, d2h,
/// where there are two of them both_ways at once.
struct CudaTransfer {
  Mix direction;
  double set_bytes;
  std::function<CeilingWork()> make;
};
std::vector<CudaTransfer> cuda_transfers(const Gpu& gpu);

/// Bytes per second and direction between host and device: the PCI Express link's (pcie_link.hpp). Absent where the
/// system does not say, and where the GPU reads the host's page tables, over a faster link of another kind
/// (NVLink-C2C).
std::optional<double> host_link_rate(const Gpu& gpu);

}  // namespace roofline
