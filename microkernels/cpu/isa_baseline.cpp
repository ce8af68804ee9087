// Compiled for the architecture's baseline (x86-64: SSE2, Arm: NEON): runs on every CPU.
#include "bench/space/prefetch.hpp"
#include "microkernels/cpu/bandwidth_kernels.hpp"
#include "microkernels/cpu/flops_kernels.hpp"
#include "microkernels/cpu/functions_kernels.hpp"

namespace roofline {
namespace {

#if defined(__aarch64__)
constexpr int registers = 32;
#else
constexpr int registers = 16;
#endif

constexpr FlopsRows flops_rows() {
  FlopsRows rows;
  rows.add_unfused<Lanes<double, 1>, registers>();
  rows.add_unfused<Lanes<float, 1>, registers>();
  rows.add_unfused<Lanes<double, 2>, registers>();
  rows.add_unfused<Lanes<float, 4>, registers>();
#if defined(__ARM_FEATURE_FMA)
  rows.add_fused<Lanes<double, 1>, registers>();
  rows.add_fused<Lanes<float, 1>, registers>();
  rows.add_fused<Lanes<double, 2>, registers>();
  rows.add_fused<Lanes<float, 4>, registers>();
#endif
  return rows;
}

constexpr BandwidthRows bandwidth_rows() {
  BandwidthRows rows;
  rows.add_all<Lanes<double, 2>>();
  return rows;
}

constexpr auto flops = flops_rows();
constexpr auto bandwidth = bandwidth_rows();

/// `touches` neighbouring doubles at every place, in 8 sums.
template <int stride, int streams, Prefetch into, int touches = 1>
double sum_every(const double* a, long n) {
  using V = Lanes<double, 1>;
  constexpr int each = 8 / streams / touches, line = 8, step = stride < line ? line : stride;
  constexpr int ahead = (streams > 1 ? 16 : 32) * stride;
  const long segment = n / streams;
  V sum[8] = {};
  for (long i = 0; i < segment; i += each * stride) {
    if constexpr (into != Prefetch::none) {
#pragma GCC unroll 8
      for (int stream = 0; stream < streams; ++stream) {
#pragma GCC unroll 8
        for (int k = 0; k < each * stride; k += step) prefetch_line<into>(a + stream * segment + i + ahead + k);
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      const double* const place = a + k / touches / each * segment + i + k / touches % each * stride;
      sum[k] = V::add(sum[k], V::load(place + k % touches)), V::hold(sum[k]);
    }
  }
  double total = 0;
  for (const V s : sum) total += s.v;
  return total;
}

template <int stride>
double sum_in(Strided way, const double* a, long n) {
  switch (way) {
    case Strided::plain:
      return sum_every<stride, 1, Prefetch::none>(a, n);
    case Strided::prefetched:
      return sum_every<stride, 1, Prefetch::into_l1>(a, n);
    case Strided::in_streams:
      return sum_every<stride, 8, Prefetch::none>(a, n);
    case Strided::twice:
      return sum_every<stride, 1, Prefetch::none, 2>(a, n);
    case Strided::in_streams_into_l1:
      return sum_every<stride, 4, Prefetch::into_l1>(a, n);
    case Strided::in_streams_prefetched:
      break;
  }
  return sum_every<stride, 4, Prefetch::into_l2>(a, n);
}

}  // namespace

FlopsKernels flops_baseline() { return {flops.rows, flops.size}; }
#if defined(__x86_64__)
ClockedLoad clocked_baseline() { return run_chain; }
#else
ClockedLoad clocked_baseline() { return nullptr; }
#endif
BandwidthKernels bandwidth_baseline() { return {bandwidth.rows, bandwidth.size}; }
FunctionKernels functions_baseline() { return {function_rows<Lanes<double, 2>>}; }

double sum_strided(const double* a, long n, int stride, Strided way) {
  switch (stride) {
    case 2:
      return sum_in<2>(way, a, n);
    case 4:
      return sum_in<4>(way, a, n);
    case 8:
      return sum_in<8>(way, a, n);
    default:
      return sum_in<16>(way, a, n);
  }
}

double sum_scattered(const double* lines, unsigned long first, unsigned long last, int bits) {
  using V = Lanes<double, 1>;
  V sum[4] = {};
  for (unsigned long i = first; i < last; i += 4) {
#pragma GCC unroll 4
    for (unsigned long k = 0; k < 4; ++k) sum[k] = V::add(sum[k], V::load(lines + 8 * scatter(i + k, bits)));
  }
  return sum[0].v + sum[1].v + sum[2].v + sum[3].v;
}

}  // namespace roofline
