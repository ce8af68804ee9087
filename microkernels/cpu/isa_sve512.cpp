// Compiled for SVE registers of 512 bit on Arm; runs only where the CPU has them. Elsewhere the tables are empty.
#include "microkernels/cpu/bandwidth_kernels.hpp"
#include "microkernels/cpu/flops_kernels.hpp"

namespace roofline {
#if ROOFLINE_SVE_BITS == 512
namespace {

constexpr FlopsRows flops_rows() {
  FlopsRows rows;
  rows.add_fused<Lanes<double, 8>, 32>();
  rows.add_fused<Lanes<float, 16>, 32>();
  rows.add_unfused<Lanes<double, 8>, 32>();
  rows.add_unfused<Lanes<float, 16>, 32>();
  return rows;
}

constexpr BandwidthRows bandwidth_rows() {
  BandwidthRows rows;
  rows.add_all<Lanes<double, 8>>();
  return rows;
}

constexpr auto flops = flops_rows();
constexpr auto bandwidth = bandwidth_rows();

}  // namespace

FlopsKernels flops_sve512() { return {flops.rows, flops.size}; }
BandwidthKernels bandwidth_sve512() { return {bandwidth.rows, bandwidth.size}; }
#else
FlopsKernels flops_sve512() { return {}; }
BandwidthKernels bandwidth_sve512() { return {}; }
#endif
}  // namespace roofline
