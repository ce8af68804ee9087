#pragma once
#include <cstddef>
#include <utility>

#include "bench/space/complex.hpp"
#include "bench/space/pack.hpp"

namespace roofline {

/// Two registers are unpacked inside 128-bit lanes: one cheap shuffle for each part and no index registers. The lanes
/// are therefore in the order 0, W/2, 1, W/2 + 1, ...: the same for every complex load, and sums do not mind.
template <int W>
class Deinterleave<Pack<W>> {
  using V = Pack<W>;

 public:
  static ROOFLINE_BODY Complex<Pack<W>> contiguous(const double* p) {
    if constexpr (W == 1)
      return {V::load(p), V::load(p + 1)};
    else
      return unpack(V::load(p), V::load(p + W), std::make_index_sequence<W>());
  }
  /// `stride` in complex numbers.
  static ROOFLINE_BODY Complex<Pack<W>> strided(const double* p, [[maybe_unused]] Index stride) {
    if constexpr (W == 1)
      return contiguous(p);
    else
      return unpack(gather<W>(p, stride), gather<W>(p + W * stride, stride), std::make_index_sequence<W>());
  }

 private:
  /// N / 2 complex numbers, `stride` apart, side by side: loads of 128 bits, joined pairwise.
  template <int N>
  static ROOFLINE_BODY Pack<N> gather(const double* p, Index stride) {
    if constexpr (N == 2)
      return Pack<2>::load(p);
    else
      return join(gather<N / 2>(p, stride), gather<N / 2>(p + N / 2 * stride, stride), std::make_index_sequence<N>());
  }
  template <int N, std::size_t... lane>
  static ROOFLINE_BODY Pack<2 * N> join(Pack<N> low, Pack<N> high, std::index_sequence<lane...>) {
    return {__builtin_shufflevector(low.v, high.v, lane...)};
  }
  template <std::size_t... lane>
  static ROOFLINE_BODY Complex<V> unpack(V low, V high, std::index_sequence<lane...>) {
    return {{__builtin_shufflevector(low.v, high.v, (lane - lane % 2 + lane % 2 * W)...)},
            {__builtin_shufflevector(low.v, high.v, (lane - lane % 2 + lane % 2 * W + 1)...)}};
  }
};

}  // namespace roofline
