// The kernels with vectors of ROOFLINE_BITS, 256 or 512: included by a file for each length, which is compiled for AVX2
// with FMA or AVX-512F on x86, and for SVE registers of that length on Arm. They run only where the CPU has these; the
// tables are empty where the compiler has not.
#include "microkernels/cpu/bandwidth_kernels.hpp"
#include "microkernels/cpu/flops_kernels.hpp"
#include "microkernels/cpu/functions_kernels.hpp"

#define ROOFLINE_NAME(what, bits) what##_##bits
#define ROOFLINE_WIDE(what, bits) ROOFLINE_NAME(what, bits)
#if defined(__AVX512F__) && ROOFLINE_BITS == 512 || defined(__AVX2__) && defined(__FMA__) && ROOFLINE_BITS == 256 || \
    ROOFLINE_SVE_BITS == ROOFLINE_BITS

namespace roofline {
namespace {

constexpr int doubles = ROOFLINE_BITS / 64;

constexpr FlopsRows flops_rows() {
#if defined(__AVX2__) && ROOFLINE_BITS == 256
  constexpr int registers = 16;
  FlopsRows rows;  // its FMAs are those of narrower vectors, too
  rows.add_fused<Lanes<double, 1>, registers>();
  rows.add_fused<Lanes<float, 1>, registers>();
  rows.add_fused<Lanes<double, 2>, registers>();
  rows.add_fused<Lanes<float, 4>, registers>();
#else
  constexpr int registers = 32;
  FlopsRows rows;
#endif
  rows.add_fused<Lanes<double, doubles>, registers>();
  rows.add_fused<Lanes<float, 2 * doubles>, registers>();
  rows.add_unfused<Lanes<double, doubles>, registers>();
  rows.add_unfused<Lanes<float, 2 * doubles>, registers>();
  return rows;
}

constexpr BandwidthRows bandwidth_rows() {
  BandwidthRows rows;
  rows.add_all<Lanes<double, doubles>>();
  return rows;
}

constexpr auto flops = flops_rows();
constexpr auto bandwidth = bandwidth_rows();

}  // namespace

FlopsKernels ROOFLINE_WIDE(flops, ROOFLINE_BITS)() { return {flops.rows, flops.size}; }
BandwidthKernels ROOFLINE_WIDE(bandwidth, ROOFLINE_BITS)() { return {bandwidth.rows, bandwidth.size}; }
FunctionKernels ROOFLINE_WIDE(functions, ROOFLINE_BITS)() { return {function_rows<Lanes<double, doubles>>}; }
ClockedLoad ROOFLINE_WIDE(clocked, ROOFLINE_BITS)([[maybe_unused]] bool dense) {
#if defined(__x86_64__)
  using V = Lanes<double, doubles>;
  return dense ? run_clocked<V, true> : run_clocked<V, false>;
#else
  return nullptr;
#endif
}

}  // namespace roofline
#else
namespace roofline {
FlopsKernels ROOFLINE_WIDE(flops, ROOFLINE_BITS)() { return {}; }
BandwidthKernels ROOFLINE_WIDE(bandwidth, ROOFLINE_BITS)() { return {}; }
FunctionKernels ROOFLINE_WIDE(functions, ROOFLINE_BITS)() { return {}; }
ClockedLoad ROOFLINE_WIDE(clocked, ROOFLINE_BITS)(bool) { return nullptr; }
}  // namespace roofline
#endif
