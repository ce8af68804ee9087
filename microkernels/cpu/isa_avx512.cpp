// Compiled with -mavx512f on x86; runs only where the CPU has it. Elsewhere the tables are empty.
#include "microkernels/cpu/bandwidth_kernels.hpp"
#include "microkernels/cpu/flops_kernels.hpp"

namespace roofline {
#if defined(__AVX512F__)
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

FlopsKernels flops_avx512() { return {flops.rows, flops.size}; }
ClockedLoad clocked_avx512(bool dense) {
  using V = Lanes<double, 8>;
  return dense ? run_clocked<V, true> : run_clocked<V, false>;
}
BandwidthKernels bandwidth_avx512() { return {bandwidth.rows, bandwidth.size}; }
#else
FlopsKernels flops_avx512() { return {}; }
ClockedLoad clocked_avx512(bool) { return nullptr; }
BandwidthKernels bandwidth_avx512() { return {}; }
#endif
}  // namespace roofline
