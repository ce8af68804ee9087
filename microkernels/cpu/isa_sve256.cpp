// Compiled for SVE registers of 256 bit on Arm; runs only where the CPU has them. Elsewhere the tables are empty.
#include "microkernels/cpu/bandwidth_kernels.hpp"
#include "microkernels/cpu/flops_kernels.hpp"

namespace roofline {
#if ROOFLINE_SVE_BITS == 256
namespace {

constexpr FlopsRows flops_rows() {
  FlopsRows rows;
  rows.add_fused<Lanes<double, 4>, 32>();
  rows.add_fused<Lanes<float, 8>, 32>();
  rows.add_unfused<Lanes<double, 4>, 32>();
  rows.add_unfused<Lanes<float, 8>, 32>();
  return rows;
}

constexpr BandwidthRows bandwidth_rows() {
  BandwidthRows rows;
  rows.add_all<Lanes<double, 4>>();
  return rows;
}

constexpr auto flops = flops_rows();
constexpr auto bandwidth = bandwidth_rows();

}  // namespace

FlopsKernels flops_sve256() { return {flops.rows, flops.size}; }
BandwidthKernels bandwidth_sve256() { return {bandwidth.rows, bandwidth.size}; }
#else
FlopsKernels flops_sve256() { return {}; }
BandwidthKernels bandwidth_sve256() { return {}; }
#endif
}  // namespace roofline
