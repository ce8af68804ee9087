// Compiled with -mavx2 -mfma on x86; runs only where the CPU has both. Elsewhere the tables are empty.
#include "microkernels/cpu/bandwidth_kernels.hpp"
#include "microkernels/cpu/flops_kernels.hpp"

namespace roofline {
#if defined(__AVX2__) && defined(__FMA__)
namespace {

constexpr FlopsRows flops_rows() {
  FlopsRows rows;
  rows.add_fused<Lanes<double, 1>, 16>();
  rows.add_fused<Lanes<float, 1>, 16>();
  rows.add_fused<Lanes<double, 2>, 16>();
  rows.add_fused<Lanes<float, 4>, 16>();
  rows.add_fused<Lanes<double, 4>, 16>();
  rows.add_fused<Lanes<float, 8>, 16>();
  rows.add_unfused<Lanes<double, 4>, 16>();
  rows.add_unfused<Lanes<float, 8>, 16>();
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

FlopsKernels flops_avx2() { return {flops.rows, flops.size}; }
ClockedLoad clocked_avx2(bool dense) {
  using V = Lanes<double, 4>;
  return dense ? run_clocked<V, true> : run_clocked<V, false>;
}
BandwidthKernels bandwidth_avx2() { return {bandwidth.rows, bandwidth.size}; }
#else
FlopsKernels flops_avx2() { return {}; }
ClockedLoad clocked_avx2(bool) { return nullptr; }
BandwidthKernels bandwidth_avx2() { return {}; }
#endif
}  // namespace roofline
